package io.holdfast.simulation.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.simulation.journal.JournalSimulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each mistake that a node could make where no simulation looks is found by a test. */
class PlantedNodeTest {

  private static final String TESTS = "io.holdfast.coordination.NodeDutiesTest";

  private static final Map<String, String> FOUND_BY =
      Map.of(
          "session opens before the node has caught up",
          "no_session_opens_before_the_node_has_caught_up",
          "new leader does not listen first",
          "a_new_leader_listens_before_it_ends_a_session",
          "report of a gone process is not resent",
          "a_gone_process_is_reported_again_if_nobody_heard_it");

  @Test
  void each_test_passes_where_nothing_is_planted() {
    for (PlantedBug bug : PlantedBug.of("node")) {
      PlantedCore core =
          new PlantedCore(new PlantedBug("nothing", List.of()), JournalSimulation.class);
      assertFalse(core.fails(TESTS, FOUND_BY.getOrDefault(bug.name(), "none")), bug.name());
    }
  }

  @Test
  void every_planted_bug_is_found_by_its_test() {
    List<String> missed = new ArrayList<>();
    for (PlantedBug bug : PlantedBug.of("node")) {
      PlantedCore core = new PlantedCore(bug, JournalSimulation.class);
      if (!core.fails(TESTS, FOUND_BY.getOrDefault(bug.name(), "none"))) {
        missed.add(bug.name());
      }
    }
    assertEquals(List.of(), missed);
  }
}
