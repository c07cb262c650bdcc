package io.holdfast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class DeadlineTest {

  private final AtomicLong nanos = new AtomicLong();

  @Test
  void it_has_passed_in_the_very_nanosecond_it_names() {
    Deadline deadline = new Deadline(nanos.get() + 10, nanos::get);
    nanos.set(9);
    assertFalse(deadline.isPassed());
    nanos.set(10);
    assertTrue(deadline.isPassed());
    assertEquals(Duration.ZERO, deadline.remaining());
  }

  @Test
  void it_survives_the_overflow_of_the_clock() {
    nanos.set(Long.MAX_VALUE - 5);
    Deadline deadline = new Deadline(nanos.get() + 10, nanos::get);
    assertFalse(deadline.isPassed());
    nanos.set(Long.MIN_VALUE + 10);
    assertTrue(deadline.isPassed());
  }
}
