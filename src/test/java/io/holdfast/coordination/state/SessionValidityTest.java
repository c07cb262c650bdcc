package io.holdfast.coordination.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The time until which a node may act on its session. */
class SessionValidityTest {

  private static final long WALL = 1_000_000;

  private final SessionValidity validity =
      new SessionValidity(SessionTimes.DEFAULT, 10_000, WALL + 10_000);

  @Test
  void a_session_that_is_not_acknowledged_is_not_valid() {
    assertFalse(isValid(10_000));
  }

  @Test
  void it_is_valid_for_its_ttl_less_the_margin() {
    validity.acknowledged(0);
    assertEquals(11_950, validity.validUntilMs());
    assertTrue(isValid(11_949));
    assertFalse(isValid(11_950));
  }

  @Test
  void it_counts_from_the_first_send_of_what_is_acknowledged() {
    validity.acknowledged(0);
    long first = renew(10_400);
    renew(10_800);
    validity.acknowledged(first); // received at any time, after any number of sends
    assertEquals(10_400 + 1_950, validity.validUntilMs());
  }

  @Test
  void an_acknowledgement_that_was_overtaken_does_not_shorten_it() {
    long first = renew(10_400);
    long second = renew(10_800);
    validity.acknowledged(second);
    validity.acknowledged(first);
    assertEquals(10_800 + 1_950, validity.validUntilMs());
  }

  @Test
  void an_acknowledgement_of_what_was_never_sent_is_no_news() {
    validity.acknowledged(7);
    assertFalse(isValid(10_001));
  }

  @Test
  void a_renewal_is_due_every_400_ms() {
    assertEquals(10_400, validity.nextRenewalMs());
    renew(10_450);
    assertEquals(10_850, validity.nextRenewalMs());
  }

  @Test
  void attempts_are_bounded_and_the_oldest_is_given_up() {
    for (int i = 1; i <= SessionValidity.MAX_OPEN_ATTEMPTS; i++) {
      renew(10_000 + i);
    }
    validity.acknowledged(0);
    assertFalse(isValid(10_500));
    validity.acknowledged(1);
    assertTrue(isValid(10_500));
  }

  @Test
  void after_a_suspension_only_a_later_renewal_makes_it_valid() {
    validity.acknowledged(0);
    long before = renew(10_100);
    long asleep = WALL + 51; // the monotonic clock stood still for 51 ms
    assertTrue(validity.isValid(10_200, 10_200 + WALL + 50));
    assertFalse(validity.isValid(10_200, 10_200 + asleep));
    validity.acknowledged(before);
    assertFalse(validity.isValid(10_200, 10_200 + asleep));
    long later = validity.renew(10_210, 10_210 + asleep);
    validity.acknowledged(later);
    assertTrue(validity.isValid(10_220, 10_220 + asleep));
  }

  @Test
  void a_suspension_too_short_to_tell_still_counts() {
    validity.acknowledged(0);
    assertFalse(validity.isValid(11_930, 11_930 + WALL + 20));
  }

  @Test
  void the_margin_is_50_ms_or_2_percent_whatever_is_more() {
    assertEquals(50, new SessionTimes(2_000, 400).marginMs());
    assertEquals(50, new SessionTimes(2_500, 400).marginMs());
    assertEquals(51, new SessionTimes(2_501, 400).marginMs());
    assertEquals(200, new SessionTimes(10_000, 400).marginMs());
  }

  @Test
  void a_session_must_outlive_an_election() {
    assertTrue(SessionTimes.DEFAULT.problem(1_000).isEmpty());
    assertTrue(SessionTimes.DEFAULT.problem(1_249).isEmpty());
    assertEquals(
        "session ttl − renewal − margin [1550 ms] does not exceed the election timeout + 300 ms"
            + " [1550 ms]",
        SessionTimes.DEFAULT.problem(1_250).orElseThrow());
    assertTrue(new SessionTimes(2_000, 0).problem(1_000).isPresent());
    assertTrue(new SessionTimes(100_000, 400).problem(1_000).isPresent());
  }

  private long renew(long nowMs) {
    return validity.renew(nowMs, nowMs + WALL);
  }

  private boolean isValid(long nowMs) {
    return validity.isValid(nowMs, nowMs + WALL);
  }
}
