package io.holdfast.grpc.guard;

/**
 * A bound on how many of a kind may come in a second, and on how many may come at once: what was
 * not used is saved up to that.
 */
final class Rate {

  static final int BURST_SECONDS = 10;

  private static final long SECOND = 1_000_000_000;

  private final int perSecond;
  private final long each;
  private final long most;
  private long paidUntil;

  /** One of which ten seconds' worth may come at once. */
  Rate(int perSecond, long nanos) {
    this(perSecond, BURST_SECONDS * perSecond, BURST_SECONDS * perSecond, nanos);
  }

  /**
   * One with a burst of its own.
   *
   * @param burst how many may come at once after a pause
   * @param saved how many of these may come at once from the beginning
   */
  Rate(int perSecond, int burst, int saved, long nanos) {
    this.perSecond = perSecond;
    this.each = SECOND / perSecond;
    this.most = burst * each;
    this.paidUntil = nanos + most - saved * each;
  }

  /** Counts one more, unless it is one too many; says whether it is. */
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

  /** Whether a whole burst is left. */
  boolean isUnused(long nanos) {
    return paidUntil - nanos <= 0;
  }

  int perSecond() {
    return perSecond;
  }
}
