package io.holdfast.keeper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that outcomes are kept for as long as promised, and not much longer. */
class OutcomeRetentionTest {

  private final OutcomeRetention memory = new OutcomeRetention();

  @Test
  void an_outcome_is_kept_for_its_retention() {
    for (int second = 0; second < 150; second++) {
      memory.note(Duration.ofSeconds(second).toNanos(), second * 10L);
      assertEquals(0, memory.forgetBefore());
    }
  }

  @Test
  void an_old_outcome_expires() {
    for (int second = 0; second <= 300; second++) {
      memory.note(Duration.ofSeconds(second).toNanos(), second * 10L);
    }
    assertEquals(150 * 10 + 1, memory.forgetBefore());
  }
}
