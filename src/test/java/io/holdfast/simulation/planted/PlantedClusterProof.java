package io.holdfast.simulation.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.simulation.cluster.ClusterSimulation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Plants some of the mistakes that actors, keepers, watches or clients could make. The simulation
 * of the whole finds each with one of its first seeds. {@code simulate cluster --planted} tries
 * all.
 */
class PlantedClusterProof {

  private static final int FIRST_SEEDS = 25;

  /** Few, since the code is compiled anew for each. */
  private static final List<String> EASY =
      List.of(
          "queue is lost at fail-over",
          "release does not look at the token",
          "hand-over is two events",
          "last waiter is first",
          "keepalive is acknowledged without a valid session",
          "own ttl ends too early",
          "waiter does not hang on its lease",
          "outcomes of requests are not kept");

  @Test
  void a_planted_bug_that_is_easy_to_find_is_found_soon() {
    List<String> missed = new ArrayList<>(EASY);
    for (PlantedBug bug : PlantedBug.of("cluster")) {
      if (EASY.contains(bug.name())) {
        PlantedCore core = new PlantedCore(bug, ClusterSimulation.class);
        if (LongStream.rangeClosed(1, FIRST_SEEDS).anyMatch(seed -> core.failure(seed) != null)) {
          missed.remove(bug.name());
        }
      }
    }
    assertEquals(List.of(), missed);
  }

  @Test
  void every_planted_bug_compiles() {
    List<String> broken = new ArrayList<>();
    for (PlantedBug bug : PlantedBug.of("cluster")) {
      try {
        var unused = new PlantedCore(bug, ClusterSimulation.class);
      } catch (IllegalStateException e) {
        broken.add(bug.name() + ": " + e.getMessage());
      }
    }
    assertEquals(List.of(), broken);
  }
}
