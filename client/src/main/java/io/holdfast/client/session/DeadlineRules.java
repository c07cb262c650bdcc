package io.holdfast.client.session;

/**
 * The deadline rules of docs/protocol.md: the time until which a client may treat a lock as held.
 * Times are nanoseconds of a process's monotonic clock, which may overflow: they are compared by
 * their difference.
 */
public final class DeadlineRules {

  private static final long NANOS_OF_MILLI = 1_000_000;
  private static final long MIN_MARGIN_MILLIS = 50;
  private static final long MARGIN_PART = 50; // 2 %

  private DeadlineRules() {}

  /** Returns the part of a ttl that a client does not use, since clocks run at different speeds. */
  public static long marginNanos(long ttlMillis) {
    return Math.max(nanos(MIN_MARGIN_MILLIS), nanos(ttlMillis) / MARGIN_PART);
  }

  /**
   * Returns the deadline of a grant or renewal.
   *
   * @param firstSentNanos the time when the first attempt of the acknowledged request was sent
   */
  public static long deadline(long firstSentNanos, long grantedTtlMillis) {
    return firstSentNanos + nanos(grantedTtlMillis) - marginNanos(grantedTtlMillis);
  }

  /** Returns the later of two deadlines: a renewal never moves the deadline to an earlier time. */
  public static long later(long before, long next) {
    return next - before > 0 ? next : before;
  }

  public static boolean isPassed(long deadlineNanos, long nowNanos) {
    return deadlineNanos - nowNanos <= 0;
  }

  static long nanos(long millis) {
    return millis * NANOS_OF_MILLI;
  }
}
