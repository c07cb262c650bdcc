package io.holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Outcomes are kept for as long as was promised, and not much longer. */
class MemoryTest {

  private final Memory memory = new Memory();

  @Test
  void nothing_is_forgotten_before_its_time() {
    for (int second = 0; second < 150; second++) {
      memory.note(Duration.ofSeconds(second).toNanos(), second * 10L);
      assertEquals(0, memory.forgetBefore());
    }
  }

  @Test
  void what_is_old_enough_is() {
    for (int second = 0; second <= 300; second++) {
      memory.note(Duration.ofSeconds(second).toNanos(), second * 10L);
    }
    assertEquals(150 * 10 + 1, memory.forgetBefore());
  }
}
