package io.holdfast.bench.locks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Questions to another JVM, by the JDK's own command. One that does not answer is not waited for.
 */
public final class Jcmd {

  private static final long MAX_SECONDS = 30;

  private Jcmd() {}

  /** The lines that the process prints. */
  public static List<String> ask(long pid, String... question) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    command.add(Long.toString(pid));
    command.addAll(List.of(question));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      CompletableFuture.delayedExecutor(MAX_SECONDS, TimeUnit.SECONDS)
          .execute(process::destroyForcibly);
      String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + ": " + told);
      }
      return told.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
