package io.holdfast.simulation.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.simulation.cluster.ClusterSimulation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Some of the mistakes that actors, keepers, watches or clients could make: the simulation of the
 * whole finds each with one of its first seeds. {@code simulate cluster --planted} tries all.
 */
@Tag("slow")
class PlantedClusterTest {

  private static final int FIRST_SEEDS = 25;

  /** Few, since the code is compiled anew for each. */
  private static final List<String> EASY =
      List.of(
          "line is lost at fail-over",
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
  void every_planted_bug_fits_the_code_as_it_is() {
    List<String> misfits = new ArrayList<>();
    for (PlantedBug bug : PlantedBug.of("cluster")) {
      try {
        assertTrue(!bug.applyToSources().isEmpty(), bug.name());
      } catch (IllegalStateException e) {
        misfits.add(bug.name() + ": " + e.getMessage());
      }
    }
    assertEquals(List.of(), misfits);
  }

  @Test
  void no_two_planted_bugs_have_one_name() {
    List<String> names = PlantedBug.of("cluster").stream().map(PlantedBug::name).toList();
    assertEquals(names.size(), names.stream().distinct().count());
  }
}
