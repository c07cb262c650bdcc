package io.holdfast.coordination.hosting;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.coordination.akka.AgreedSystems;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The log's leader is not Akka's oldest node for long. */
@Tag("slow")
class LeaderPlaceTest {

  private final AgreedSystems systems = new AgreedSystems(2);

  @AfterEach
  void stop() {
    systems.close();
  }

  @Test
  void a_leader_that_is_the_oldest_lets_another_lead_after_2_s() {
    systems.log.lead(systems.place(1).id);
    systems.enter(0, 1);
    assertEquals(List.of(), systems.log.handedOver());
    long began = System.nanoTime();
    systems.log.lead(systems.place(0).id);
    eventually("handed over", AgreedSystems.WITHIN, systems.log::handedOver, all -> !all.isEmpty());
    assertTrue(System.nanoTime() - began >= Duration.ofSeconds(2).toNanos());
    assertEquals(List.of(systems.place(1).id), systems.log.handedOver());
  }
}
