package io.holdfast.grpc.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests the pace of an address while the server is late. */
class CallPaceTest {

  private static final long LATE = CallPace.LATE.toNanos();
  private static final long PAUSE = CallPace.PAUSE.toNanos();
  private static final long LONGEST = CallPace.LONGEST_WAIT.toNanos();

  private final long now = Long.MAX_VALUE - PAUSE; // it wraps
  private final CallPace pace = new CallPace(now - 10 * PAUSE);

  @Test
  void calls_do_not_wait_while_the_server_is_on_time() {
    for (int i = 0; i < 100; i++) {
      assertEquals(0, pace.reserve(LATE - 1, now));
    }
    assertEquals(0, pace.reserve(LATE, now), "and reserve nothing");
  }

  @Test
  void slices_follow_each_other_while_the_server_is_late() {
    assertEquals(0, pace.reserve(LATE, now));
    assertEquals(PAUSE, pace.reserve(LATE, now));
    assertEquals(2 * PAUSE - 1, pace.reserve(LATE, now + 1));
    assertEquals(0, pace.reserve(LATE, now + 3 * PAUSE));
  }

  @Test
  void unused_turns_are_not_saved() {
    assertEquals(0, pace.reserve(LATE, now + 100 * PAUSE));
    assertEquals(PAUSE, pace.reserve(LATE, now + 100 * PAUSE));
  }

  @Test
  void a_slice_that_would_wait_too_long_is_refused() {
    long turns = LONGEST / PAUSE;
    for (long i = 0; i <= turns; i++) {
      assertEquals(i * PAUSE, pace.reserve(LATE, now));
    }
    for (int i = 0; i < 1_000; i++) {
      assertEquals(CallPace.TOO_LATE, pace.reserve(LATE, now));
    }
    assertEquals(LONGEST, pace.reserve(LATE, now + PAUSE), "a refusal takes no turn");
  }
}
