package io.holdfast.simulation.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of planted bugs in the documents, compared with the code. */
class PlantedRowsTest {

  private static final Path DOCUMENT = Path.of("docs/testing.md");
  private static final String HEAD = "| planted bug |";

  @Test
  void each_planted_bug_has_a_row_and_each_row_a_bug() throws IOException {
    List<String> planted =
        Stream.of("raft", "journal", "node", "cluster")
            .flatMap(group -> PlantedBug.of(group).stream())
            .map(PlantedBug::name)
            .sorted()
            .toList();
    assertEquals(planted, rows().stream().sorted().toList());
  }

  private static List<String> rows() throws IOException {
    List<String> rows = new ArrayList<>();
    boolean isTable = false;
    for (String line : Files.readAllLines(DOCUMENT)) {
      if (!line.startsWith("|")) {
        isTable = false;
      } else if (line.startsWith(HEAD)) {
        isTable = true;
      } else if (isTable && !line.startsWith("|--")) {
        rows.add(line.substring(2, line.indexOf(" |", 2)));
      }
    }
    return rows;
  }
}
