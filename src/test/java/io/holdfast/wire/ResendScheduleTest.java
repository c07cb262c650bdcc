package io.holdfast.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResendScheduleTest {

  private static final long BEGIN = Long.MAX_VALUE - 1_000_000_000; // overflows soon
  private static final long STEP_MILLIS = 50;

  private long now = BEGIN;
  private final ResendSchedule schedule = new ResendSchedule(now);

  @Test
  void the_pauses_grow_up_to_a_second() {
    assertEquals(List.of(250L, 750L, 1_750L, 2_750L, 3_750L), due(4_000));
  }

  @Test
  void the_pauses_start_again_with_a_new_owner() {
    assertEquals(List.of(250L, 750L), due(1_000));
    schedule.moved(now);
    assertEquals(List.of(1_250L, 1_750L, 2_750L), due(2_000));
  }

  @Test
  void a_waiting_request_is_resent_every_second() {
    schedule.waits(now);
    assertEquals(List.of(1_000L, 2_000L, 3_000L), due(3_000));
  }

  @Test
  void a_waiting_request_kept_alive_by_others_backs_off() {
    schedule.waitsAlive(now);
    assertEquals(List.of(1_000L, 3_000L, 7_000L, 15_000L, 23_000L), due(24_000));
    schedule.moved(now);
    assertEquals(List.of(24_250L, 24_750L, 25_750L), due(2_000));
  }

  /** Returns the next due times, in milliseconds since the beginning. */
  private List<Long> due(long millis) {
    List<Long> due = new ArrayList<>();
    for (long end = now + millis * 1_000_000; now - end < 0; ) {
      now += STEP_MILLIS * 1_000_000;
      if (schedule.isDue(now)) {
        due.add((now - BEGIN) / 1_000_000);
      }
    }
    return due;
  }
}
