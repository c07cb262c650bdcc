package io.holdfast.specification;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * TLC, in a process of its own for each check: it is made to run once in a JVM. What it leaves
 * behind stays in a directory, its output and its configuration too.
 */
final class ModelChecker {

  /**
   * The result of a check by TLC.
   *
   * @param verdict {@link Check#HOLDS}, or what is violated
   * @param output all that it said, with the way into the violation
   */
  record Answer(String verdict, long distinctStates, double seconds, String output) {}

  private static final Path MODULES = Path.of("src", "test", "tla").toAbsolutePath();
  private static final Path LEFT_BEHIND = Path.of("target", "specification").toAbsolutePath();
  private static final Pattern VIOLATED =
      Pattern.compile("(?:Invariant|Action property) (\\w+) is violated");
  private static final Pattern DISTINCT =
      Pattern.compile("generated, (\\d+) distinct states found, \\d+ states left");

  private final String classPath;
  private final long boundMinutes;

  ModelChecker(String classPath, long boundMinutes) {
    this.classPath = classPath;
    this.boundMinutes = boundMinutes;
  }

  Answer ask(Check check) throws IOException, InterruptedException {
    Path directory = directory(check);
    Path configuration =
        Files.write(directory.resolve(check.module() + ".cfg"), check.configuration());
    Path output = directory.resolve("output");
    Files.deleteIfExists(output);
    long startedNs = System.nanoTime();
    Process process =
        new ProcessBuilder(command(check, directory, configuration))
            .directory(MODULES.toFile()) // TLC looks for both files from here
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = false;
    try {
      ended = process.waitFor(boundMinutes, TimeUnit.MINUTES);
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(output);
    if (!ended) {
      throw new IllegalStateException("TLC needs more than " + boundMinutes + " min:\n" + said);
    }
    double seconds = (System.nanoTime() - startedNs) / 1e9;
    return new Answer(verdict(process.exitValue(), said), distinctStates(said), seconds, said);
  }

  private static Path directory(Check check) throws IOException {
    Path directory = LEFT_BEHIND.resolve(check.says().replaceAll("\\W+", "_"));
    Files.createDirectories(directory);
    return directory;
  }

  private List<String> command(Check check, Path directory, Path configuration) {
    return List.of(
        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
        "-XX:+UseSerialGC", // two run at a time, on as many cores
        "-Xmx1500m",
        "-XX:TieredStopAtLevel="
            + (check.verdict().equals(Check.HOLDS) ? 4 : 1), // soon found or not
        "-Djava.io.tmpdir=" + directory, // TLC unpacks its standard modules there
        "-cp",
        classPath,
        "tlc2.TLC",
        "-nowarning", // of the garbage collector
        "-deadlock", // the bounds of a model end its life: that is no fault
        "-workers",
        "1",
        "-metadir",
        directory.resolve("states").toString(),
        "-config",
        configuration.toString(),
        check.module() + ".tla");
  }

  private static String verdict(int exitCode, String output) {
    Matcher violated = VIOLATED.matcher(output);
    if (violated.find()) {
      return violated.group(1);
    }
    return exitCode == 0 && output.contains("No error has been found")
        ? Check.HOLDS
        : "TLC failed with exit code " + exitCode;
  }

  private static long distinctStates(String output) {
    Matcher distinct = DISTINCT.matcher(output);
    return distinct.find() ? Long.parseLong(distinct.group(1)) : 0;
  }
}
