package io.holdfast.simulation.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.simulation.coordination.CoordinationSimulation;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each mistake that coordination could make is seen by its simulation. */
@Tag("slow")
class PlantedCoordinationTest {

  private static final long SEEDS = 400;

  @Test
  void every_planted_bug_of_coordination_is_found() {
    List<String> missed =
        PlantedBug.of("coordination").stream()
            .filter(bug -> !isFound(bug))
            .map(PlantedBug::name)
            .toList();
    assertEquals(List.of(), missed);
  }

  private static boolean isFound(PlantedBug bug) {
    PlantedCore core = new PlantedCore(bug, CoordinationSimulation.class);
    for (long seed = 1; seed <= SEEDS; seed++) {
      String failure = core.failure(seed);
      if (failure != null) {
        return true;
      }
    }
    return false;
  }
}
