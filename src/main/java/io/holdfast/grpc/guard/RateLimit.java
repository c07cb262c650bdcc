package io.holdfast.grpc.guard;

/** A limit on events a second, with a burst: unused capacity is saved up to the burst. */
final class RateLimit {

  static final int BURST_SECONDS = 10;

  private static final long SECOND = 1_000_000_000;

  private final int perSecond;
  private final long each;
  private final long most;
  private long paidUntil;

  /** Creates a limit with a burst of ten seconds. */
  RateLimit(int perSecond, long nanos) {
    this(perSecond, BURST_SECONDS * perSecond, BURST_SECONDS * perSecond, nanos);
  }

  /**
   * Creates a limit with its own burst.
   *
   * @param burst the events that may come at once after a pause
   * @param saved the part of the burst that is available from the start
   */
  RateLimit(int perSecond, int burst, int saved, long nanos) {
    this.perSecond = perSecond;
    this.each = SECOND / perSecond;
    this.most = burst * each;
    this.paidUntil = nanos + most - saved * each;
  }

  /** Counts an event; true if it exceeds the limit, and then it does not count. */
  boolean isExceeded(long nanos) {
    if (isUnused(nanos)) {
      paidUntil = nanos;
    }
    if (paidUntil + each - nanos > most) {
      return true;
    }
    paidUntil += each;
    return false;
  }

  /** True if the whole burst is available. */
  boolean isUnused(long nanos) {
    return paidUntil - nanos <= 0;
  }

  int perSecond() {
    return perSecond;
  }
}
