package holdfast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DeadlineTest {

  private final AtomicLong nanos = new AtomicLong();

  @ParameterizedTest
  @CsvSource({"100, 50000", "2500, 2450000", "2501, 2450980", "10000, 9800000"})
  void the_margin_is_50_ms_or_2_percent_whichever_is_more(long ttlMillis, long micros) {
    assertEquals(
        Duration.ofNanos(micros * 1_000), Deadline.surelyHeld(Duration.ofMillis(ttlMillis)));
  }

  @Test
  void a_grant_counts_from_the_sending_not_from_the_answer() {
    nanos.set(4_000_000_000L);
    Deadline deadline = Deadline.ofGrant(1_000_000_000L, Duration.ofSeconds(10), nanos::get);
    assertEquals(Duration.ofMillis(6_800), deadline.remaining());
  }

  @Test
  void it_has_passed_in_the_very_nanosecond_it_names() {
    Deadline deadline = Deadline.in(Duration.ofNanos(10), nanos::get);
    nanos.set(9);
    assertFalse(deadline.isPassed());
    nanos.set(10);
    assertTrue(deadline.isPassed());
    assertEquals(Duration.ZERO, deadline.remaining());
  }

  @Test
  void it_survives_the_overflow_of_the_clock() {
    nanos.set(Long.MAX_VALUE - 5);
    Deadline deadline = Deadline.in(Duration.ofNanos(10), nanos::get);
    assertFalse(deadline.isPassed());
    nanos.set(Long.MIN_VALUE + 10);
    assertTrue(deadline.isPassed());
  }
}
