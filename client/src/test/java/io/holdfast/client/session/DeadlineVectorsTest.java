package io.holdfast.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.fixtures.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The deadline rules against the table of docs/protocol.md, on clocks that begin anywhere. */
final class DeadlineVectorsTest {

  private static final String BEGIN = "<!-- deadlines: begin -->";
  private static final String END = "<!-- deadlines: end -->";
  private static final int HEADINGS = 2;
  private static final List<Long> ORIGINS =
      List.of(0L, -5_000_000_000L, Long.MAX_VALUE - 1_000_000, Long.MIN_VALUE);

  static Stream<String> vectors() throws IOException {
    String page = Files.readString(Project.file("docs/protocol.md"));
    String table = page.substring(page.indexOf(BEGIN) + BEGIN.length(), page.indexOf(END));
    return table.strip().lines().skip(HEADINGS);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void the_rules_are_those_of_the_page(String vector) {
    List<String> cells = Stream.of(vector.split("\\|", -1)).map(String::strip).toList();
    long ttl = Long.parseLong(cells.get(2));
    assertEquals(millis(cells.get(5)), DeadlineRules.marginNanos(ttl), "D1");
    for (long origin : ORIGINS) {
      long deadline = DeadlineRules.deadline(origin + millis(cells.get(1)), ttl);
      if (!cells.get(3).isEmpty()) {
        deadline = DeadlineRules.later(origin + millis(cells.get(3)), deadline);
      }
      assertEquals(origin + millis(cells.get(6)), deadline, "D2, D4");
      assertEquals(
          cells.get(7).equals("yes"),
          !DeadlineRules.isPassed(deadline, origin + millis(cells.get(4))),
          "D5");
      Validity validity = new Validity(deadline, ttl);
      assertEquals(cells.get(7).equals("yes"), validity.isSureAt(origin + millis(cells.get(4))));
    }
  }

  private static long millis(String cell) {
    return Long.parseLong(cell) * 1_000_000;
  }

  @Test
  void there_are_vectors() throws IOException {
    assertTrue(vectors().count() > 10);
  }
}
