package io.holdfast.client.session;

/**
 * Until when one lease surely lives. The session writes it; any thread may read it, so that a
 * caller learns the truth from its own look at the clock, whatever has become of other threads.
 */
public final class Validity {

  private final long ttlMillis;
  private volatile long deadlineNanos;
  private volatile boolean ended;

  Validity(long deadlineNanos, long ttlMillis) {
    this.deadlineNanos = deadlineNanos;
    this.ttlMillis = ttlMillis;
  }

  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** True if it surely lives at that moment. */
  public boolean isSureAt(long nowNanos) {
    return !ended && !DeadlineRules.isPassed(deadlineNanos, nowNanos);
  }

  /**
   * True if renewals are overdue at that moment: with one every third of the ttl, more than half of
   * it is always left.
   */
  public boolean isInDoubtAt(long nowNanos) {
    return deadlineNanos - nowNanos < DeadlineRules.nanos(ttlMillis) / 2;
  }

  long ttlMillis() {
    return ttlMillis;
  }

  void renewed(long firstSentNanos, long grantedTtlMillis) {
    long next = DeadlineRules.deadline(firstSentNanos, grantedTtlMillis);
    deadlineNanos = DeadlineRules.later(deadlineNanos, next);
  }

  /** It is known to have ended. */
  void end() {
    ended = true;
  }
}
