package io.holdfast.raft.link;

import java.util.SplittableRandom;

/**
 * The waits between the tries to reach a peer.
 *
 * <p>They double up to a bound, and are random in part, so that members do not dial at the same
 * times. The bound is a larger one for a peer that was never reached: there may be nobody for ever.
 * After a loss the first ones are short and fixed: a dying process closes its connections some
 * moments before its port, and only the port proves its end.
 */
final class DialBackoff {

  /** The waits after a loss: tries at 0, 2, 5, 10, 20, 40 and 80 ms. */
  private static final int[] PROBES_MS = {0, 2, 3, 5, 10, 20, 40};

  private final SplittableRandom random;
  private final long minMs;
  private final long maxMs;
  private final long unreachedMaxMs;
  private int probe = PROBES_MS.length;
  private long waitMs;
  private boolean isReached;

  DialBackoff(SplittableRandom random, LinkSettings settings) {
    this.random = random;
    this.minMs = settings.backoffMinMs();
    this.maxMs = settings.backoffMaxMs();
    this.unreachedMaxMs = settings.unreachedBackoffMaxMs();
    this.waitMs = minMs;
  }

  /** The peer answered as a member does. It has the usual waits from now on. */
  void reached() {
    isReached = true;
  }

  boolean isReached() {
    return isReached;
  }

  /** Begins again with the shortest wait. */
  void reset() {
    probe = PROBES_MS.length;
    waitMs = minMs;
  }

  /** Begins again with the probes that follow a loss. */
  void resetToProbes() {
    probe = 0;
    waitMs = minMs;
  }

  /** Goes on with the longest wait. */
  void slowDown() {
    probe = PROBES_MS.length;
    waitMs = longestMs();
  }

  /** The wait before the next try. */
  long nextMs() {
    if (probe < PROBES_MS.length) {
      return PROBES_MS[probe++];
    }
    long wait = waitMs;
    waitMs = Math.min(2 * waitMs, longestMs());
    return wait - random.nextLong(wait / 2 + 1);
  }

  private long longestMs() {
    return isReached ? maxMs : unreachedMaxMs;
  }
}
