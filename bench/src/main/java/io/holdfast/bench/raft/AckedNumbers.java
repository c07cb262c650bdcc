package io.holdfast.bench.raft;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The proposals that were acknowledged and those that were refused, as their proposer heard it. */
final class AckedNumbers {

  private final List<Long> acknowledged = new ArrayList<>();
  private final List<Long> refused = new ArrayList<>();

  synchronized void acknowledged(long number) {
    acknowledged.add(number);
  }

  synchronized void refused(long number) {
    refused.add(number);
  }

  synchronized int count() {
    return acknowledged.size();
  }

  /** Writes a line for each: with a plus if it must be applied, with a minus if it must not. */
  synchronized void writeTo(Path file) throws IOException {
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
      acknowledged.forEach(number -> out.println("+" + number));
      refused.forEach(number -> out.println("-" + number));
    }
  }
}
