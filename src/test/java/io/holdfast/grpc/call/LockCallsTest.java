package io.holdfast.grpc.call;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.v1.LockRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockCallsTest {

  /** A waiting call is resent three times in its ttl, and at least each second. */
  @ParameterizedTest
  @CsvSource({
    "0, 100, 1",
    "1, 0, 1",
    "1, 10000, 1",
    "1, 3000, 1",
    "1, 2999, 2",
    "1, 1000, 3",
    "1, 100, 30",
    "1, 1, 30",
    "1, -5, 1"
  })
  void a_waiting_call_with_a_short_ttl_takes_more_places(long timeoutMs, long ttlMs, int places) {
    assertEquals(
        places,
        LockCalls.places(LockRequest.newBuilder().setTimeoutMs(timeoutMs).setTtlMs(ttlMs).build()));
  }
}
