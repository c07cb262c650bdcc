package io.holdfast.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.client.fixtures.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of a session are functions of their arguments. */
final class PurityTest {

  private static final List<String> IMPURE =
      List.of(
          "java.util.concurrent",
          "java.io",
          "java.net",
          "io.grpc",
          "nanoTime",
          "currentTimeMillis",
          "Math.random",
          "java.util.Random",
          "UUID",
          "Thread",
          "Logger");

  @Test
  void no_clock_no_thread_no_connection_and_no_chance() throws IOException {
    Path rules = Project.file("client/src/main/java/io/holdfast/client/session");
    try (Stream<Path> files = Files.list(rules)) {
      List<String> found =
          files.flatMap(file -> IMPURE.stream().filter(read(file)::contains)).toList();
      assertEquals(List.of(), found);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
