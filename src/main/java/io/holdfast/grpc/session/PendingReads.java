package io.holdfast.grpc.session;

import io.holdfast.v1.GetLockRequest;
import java.util.HashMap;
import java.util.Map;

/**
 * The reads and renewals of one stream that have no answer yet. The expected size of a read's
 * answer counts from the start of the read.
 */
final class PendingReads {

  /** The largest size of a holder in an answer. */
  private static final int HOLDER_BYTES = 9 << 10;

  private static final int WAITER_BYTES = 500;

  private static final int MAX_WAITERS = 1_000;

  private final Map<Long, Integer> sizes = new HashMap<>();
  private int pending;
  private int bytes;

  /** Counts an operation whose answer is small. */
  void begin() {
    pending++;
  }

  /** Counts a read of a holder. */
  void begin(long number) {
    begin(number, HOLDER_BYTES);
  }

  /** Counts a read of a lock. */
  void begin(long number, GetLockRequest request) {
    int waiters = Math.min(MAX_WAITERS, Math.max(0, request.getWaiterLimit()));
    begin(number, HOLDER_BYTES + waiters * WAITER_BYTES);
  }

  private void begin(long number, int size) {
    pending++;
    bytes += size;
    sizes.merge(number, size, Integer::sum);
  }

  /** Stops counting an operation that is answered. */
  void answered(long number) {
    pending--;
    Integer expected = sizes.remove(number);
    bytes -= expected == null ? 0 : expected;
  }

  /** Stops counting a lookup that is complete; the lock request counts from now on. */
  void lookedUp() {
    pending--;
  }

  /** Returns the count of operations without an answer. */
  int pending() {
    return pending;
  }

  /** Returns the bytes that the expected answers may take. */
  int bytes() {
    return bytes;
  }

  /** Stops counting all of them. */
  void clear() {
    pending = 0;
  }
}
