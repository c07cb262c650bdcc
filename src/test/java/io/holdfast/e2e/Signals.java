package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Signals to processes. */
final class Signals {

  private static final Duration WITHIN = Duration.ofSeconds(10);

  private Signals() {}

  static void send(Process process, String name) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
      if (kill.waitFor() != 0) {
        throw new AssertionError("kill -" + name + " ended with " + kill.exitValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Stops a process, and waits until all its threads stand. */
  static void stop(Process process) {
    send(process, "STOP");
    Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
    eventually("stopped", WITHIN, () -> running(tasks), count -> count == 0);
  }

  private static long running(Path tasks) {
    try (var all = Files.list(tasks)) {
      return all.filter(task -> !state(task).startsWith("T")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String state(Path task) {
    try {
      String stat = Files.readString(task.resolve("stat"));
      return stat.substring(stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return "T: it has gone";
    }
  }
}
