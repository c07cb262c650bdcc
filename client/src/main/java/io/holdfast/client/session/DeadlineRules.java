package io.holdfast.client.session;

/**
 * Until when a client may call something held: the deadline rules of docs/protocol.md. Moments are
 * nanoseconds of one process's monotonic clock, which may overflow: they are compared by their
 * difference.
 */
public final class DeadlineRules {

  private static final long NANOS_OF_MILLI = 1_000_000;
  private static final long MIN_MARGIN_MILLIS = 50;
  private static final long MARGIN_PART = 50; // 2 %

  private DeadlineRules() {}

  /** The part of a ttl that a client does not use, since clocks do not run alike. */
  public static long marginNanos(long ttlMillis) {
    return Math.max(nanos(MIN_MARGIN_MILLIS), nanos(ttlMillis) / MARGIN_PART);
  }

  /**
   * The deadline that a grant or renewal gives.
   *
   * @param firstSentNanos when the first attempt of the acknowledged request was sent
   */
  public static long deadline(long firstSentNanos, long grantedTtlMillis) {
    return firstSentNanos + nanos(grantedTtlMillis) - marginNanos(grantedTtlMillis);
  }

  /** Of two deadlines the one that stands: a renewal never moves it to an earlier time. */
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
