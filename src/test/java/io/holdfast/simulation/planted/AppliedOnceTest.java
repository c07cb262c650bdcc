package io.holdfast.simulation.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.holdfast.entity.Applications;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The node that decides an event applies it once, from the decision to the keeper's deadlines. */
@Tag("slow")
class AppliedOnceTest {

  private static final Path SOURCES = Path.of("src");

  private static final PlantedBug COUNTED =
      PlantedBug.of(
          "counts applications",
          "../lock/LockState",
          "  public LockState apply(LockEvent event) {\n",
          "  public static final java.util.concurrent.atomic.AtomicInteger APPLIED ="
              + " new java.util.concurrent.atomic.AtomicInteger();\n"
              + "  public LockState apply(LockEvent event) {\n"
              + "    APPLIED.incrementAndGet();\n");

  @Test
  void an_event_is_applied_once_by_the_node_that_decides_it() {
    assertNull(new PlantedCore(COUNTED, SOURCES, Applications.class).failure(1));
  }

  @Test
  void one_that_the_actor_applies_again_is_noticed() {
    PlantedBug twice =
        COUNTED.andIn(
            "../journal/FencedEvent",
            "  public S after(S before) {\n",
            """
              public S after(S before) {
                if (event instanceof LockEvents lock) {
                  lock.after((io.holdfast.lock.LockState) before);
                }
            """);
    assertEquals(
        "13 events of seed 1 were applied 26 times",
        new PlantedCore(twice, SOURCES, Applications.class).failure(1));
  }
}
