package io.holdfast.simulation.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.holdfast.entity.ApplyCounter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The node that decides an event applies it once, from the decision to the keeper's deadlines. */
@Tag("slow")
class AppliedOnceTest {

  /** A counter of applications alone, and one with a second application. */
  private static final List<PlantedBug> PATCHES = PlantedBug.of("applied-once");

  @Test
  void an_event_is_applied_once_by_the_node_that_decides_it() {
    assertNull(failure(PATCHES.get(0)));
  }

  @Test
  void one_that_the_actor_applies_again_is_noticed() {
    assertEquals("13 events of seed 1 were applied 26 times", failure(PATCHES.get(1)));
  }

  private static @Nullable String failure(PlantedBug patch) {
    return new PlantedCore(patch, ApplyCounter.class).failure(1);
  }
}
