package holdfast.grpc.guard;

/**
 * A bound on how many of a kind may come in a second. Ten seconds' worth may come at once: a client
 * may cancel all its calls in one moment, and goes on slower.
 */
final class Rate {

  static final int BURST_SECONDS = 10;

  private static final long SECOND = 1_000_000_000;

  private final int perSecond;
  private final long each;
  private long paidUntil;

  Rate(int perSecond, long nanos) {
    this.perSecond = perSecond;
    this.each = SECOND / perSecond;
    this.paidUntil = nanos;
  }

  /** Counts one more, unless it is one too many; says whether it is. */
  boolean isExceeded(long nanos) {
    if (paidUntil - nanos < 0) {
      paidUntil = nanos;
    }
    if (paidUntil + each - nanos > BURST_SECONDS * SECOND) {
      return true;
    }
    paidUntil += each;
    return false;
  }

  int perSecond() {
    return perSecond;
  }
}
