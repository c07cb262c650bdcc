package io.holdfast.client.session;

/**
 * The time until which one lease is surely alive. The session writes it, and any thread may read
 * it, so that a caller can check it by the clock even while other threads are stuck.
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

  /** True if the lease is surely alive at that time. */
  public boolean isSureAt(long nowNanos) {
    return !ended && !DeadlineRules.isPassed(deadlineNanos, nowNanos);
  }

  /**
   * True if renewals are overdue at that time: with a renewal every third of the ttl, more than
   * half of it is left.
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

  /** Notes that the lease has ended. */
  void end() {
    ended = true;
  }
}
