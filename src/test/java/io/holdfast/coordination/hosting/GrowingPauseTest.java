package io.holdfast.coordination.hosting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GrowingPauseTest {

  private final GrowingPause pause = new GrowingPause(10_000, 640_000);

  @Test
  void a_pause_grows_while_it_is_begun_again_and_again() {
    int done = 0;
    for (long nowMs = 5_000; nowMs < 125_000; nowMs += 1_000) {
      if (pause.isOver(nowMs)) {
        pause.begin(nowMs);
        done++;
      }
    }
    assertEquals(4, done); // not every few seconds, for two minutes
  }

  @Test
  void after_a_long_quiet_time_it_begins_anew() {
    pause.begin(0);
    assertFalse(pause.isOver(9_999));
    assertTrue(pause.isOver(10_000));
    pause.begin(10_000);
    assertFalse(pause.isOver(29_999));
    pause.begin(90_000);
    assertTrue(pause.isOver(100_000));
  }
}
