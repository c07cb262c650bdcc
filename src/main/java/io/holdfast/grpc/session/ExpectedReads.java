package io.holdfast.grpc.session;

import io.holdfast.v1.GetLockRequest;
import java.util.HashMap;
import java.util.Map;

/**
 * What one stream has begun and no lock decides: reads and signs of life. The answer to a read
 * takes room when it comes, and counts from its beginning.
 */
final class ExpectedReads {

  /** What a holder takes in an answer, at most, and a waiter. */
  private static final int HOLDER_BYTES = 9 << 10;

  private static final int WAITER_BYTES = 500;

  private static final int MAX_WAITERS = 1_000;

  private final Map<Long, Integer> sizes = new HashMap<>();
  private int pending;
  private int bytes;

  /** One whose answer is small. */
  void begin() {
    pending++;
  }

  /** A read of a holder. */
  void begin(long number) {
    begin(number, HOLDER_BYTES);
  }

  /** A read of a lock. */
  void begin(long number, GetLockRequest request) {
    int waiters = Math.min(MAX_WAITERS, Math.max(0, request.getWaiterLimit()));
    begin(number, HOLDER_BYTES + waiters * WAITER_BYTES);
  }

  private void begin(long number, int size) {
    pending++;
    bytes += size;
    sizes.merge(number, size, Integer::sum);
  }

  /** An answer came. */
  void came(long number) {
    pending--;
    Integer expected = sizes.remove(number);
    bytes -= expected == null ? 0 : expected;
  }

  /** What was looked up is there, and a lock is asked now. */
  void found() {
    pending--;
  }

  /** How many have no answer. */
  int pending() {
    return pending;
  }

  /** How large the answers may become. */
  int bytes() {
    return bytes;
  }

  /** None is expected any more. */
  void clear() {
    pending = 0;
  }
}
