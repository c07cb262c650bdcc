package io.holdfast.bench.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Commands of the system that the tests call. */
public final class Shell {

  private Shell() {}

  /** Runs a command, which must succeed, and returns its output. */
  public static String run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String printed =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      int code = process.waitFor();
      if (code != 0) {
        throw new IllegalStateException(
            String.join(" ", command) + " ended with [" + code + "]: " + printed);
      }
      return printed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Runs a command that may fail, and says whether it did not. */
  static boolean tries(String... command) {
    try {
      run(command);
      return true;
    } catch (IllegalStateException | UncheckedIOException e) {
      return false;
    }
  }
}
