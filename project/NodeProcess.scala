import java.io.File
import java.util.concurrent.TimeUnit

import sbt._

/** Runs a main class in a JVM of its own, in the foreground. sbt's own forked run leaves the process behind when sbt
  * gets SIGTERM; this one passes the signal on and waits.
  */
object NodeProcess {

  private val StopWithinSeconds = 10

  def run(mainClass: String, classpath: Seq[File], options: Seq[String], args: Seq[String], home: File): Unit = {
    val launcher = new File(System.getProperty("java.home"), "bin/java").getPath
    val command = Seq(launcher) ++ options ++ Seq("-cp", classpath.mkString(File.pathSeparator), mainClass) ++ args
    val process = new ProcessBuilder(command: _*).directory(home).inheritIO().start()
    val stop = new Thread(() => end(process), "stop-node")
    java.lang.Runtime.getRuntime.addShutdownHook(stop)
    try {
      val code = process.waitFor()
      if (code != 0 && !stop.isAlive) throw new MessageOnlyException(s"the process ended with exit code $code")
    } catch {
      case _: InterruptedException => end(process)
    } finally
      try java.lang.Runtime.getRuntime.removeShutdownHook(stop)
      catch { case _: IllegalStateException => () } // sbt itself is stopping
  }

  private def end(process: Process): Unit = {
    process.destroy()
    if (!process.waitFor(StopWithinSeconds.toLong, TimeUnit.SECONDS)) process.destroyForcibly()
  }
}
