package io.holdfast.simulation.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.simulation.raft.RaftSimulation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The planted bugs fit the core as it is; the whole table takes minutes and is run by hand. */
@Tag("slow")
class PlantedBugsTest {

  @Test
  void every_bug_can_be_planted() {
    List<PlantedBug> bugs = PlantedBug.of("raft");
    for (PlantedBug bug : bugs) {
      new PlantedCore(bug, RaftSimulation.class);
    }
    assertEquals(bugs.size(), bugs.stream().map(PlantedBug::name).distinct().count());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"votes twice", "applies an entry twice", "before they are synced", "does nothing"})
  void a_planted_bug_is_found(String part) {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    boolean found =
        PlantedTable.ofRaft(new PrintStream(told, true, StandardCharsets.UTF_8))
            .print(1, 300, part);
    assertTrue(found, () -> told.toString(StandardCharsets.UTF_8));
  }
}
