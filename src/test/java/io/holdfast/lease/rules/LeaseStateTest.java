package io.holdfast.lease.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.OutOfBound;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import org.junit.jupiter.api.Test;

/** A lease begins once and ends once, and its ttl has bounds. */
class LeaseStateTest {

  private static final LeaseEvent GRANTED =
      new LeaseEvent.Granted(
          LeaseTerms.of(1_000, ClientId.NAMELESS, /* session= */ false),
          new RequestHeader(new RequestId.Named(ClientId.NAMELESS, "request"), /* content= */ 1));
  private static final LeaseEvent ENDED = new LeaseEvent.Ended(LeaseEvent.Cause.EXPIRED);

  @Test
  void a_lease_begins_and_ends_and_leaves_nothing() {
    assertEquals(LeaseState.NONE, LeaseState.NONE.apply(GRANTED).apply(ENDED));
  }

  @Test
  void a_living_lease_cannot_begin_and_a_dead_one_cannot_end() {
    LeaseState alive = LeaseState.NONE.apply(GRANTED);
    assertThrows(IllegalStateException.class, () -> alive.apply(GRANTED));
    assertThrows(IllegalStateException.class, () -> LeaseState.NONE.apply(ENDED));
  }

  @Test
  void a_ttl_is_1_second_to_10_minutes() {
    assertEquals(1_000, terms(1_000).ttl().millis());
    assertEquals(600_000, terms(600_000).ttl().millis());
    refused(999, "ttl_ms [999] is below the minimum [1000]");
    refused(600_001, "ttl_ms [600001] exceeds the maximum [600000]");
    refused(Long.MIN_VALUE, "ttl_ms [-9223372036854775808] is below the minimum [1000]");
  }

  private static LeaseTerms terms(long ttlMs) {
    return LeaseTerms.of(ttlMs, ClientId.NAMELESS, /* session= */ false);
  }

  private static void refused(long ttlMs, String message) {
    assertEquals(message, assertThrows(OutOfBound.class, () -> terms(ttlMs)).getMessage());
  }
}
