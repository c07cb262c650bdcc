package holdfast.raft.link;

import java.util.SplittableRandom;

/**
 * The waits between the tries to reach a peer.
 *
 * <p>They double up to a bound, with chance in them so that members do not keep step. After a loss
 * the first ones are short and fixed: a dying process closes its connections some moments before
 * its port, and only the port proves its end.
 */
final class Backoff {

  /** The waits after a loss: tries at 0, 2, 5, 10, 20, 40 and 80 ms. */
  private static final int[] PROBES_MS = {0, 2, 3, 5, 10, 20, 40};

  private final SplittableRandom random;
  private final long minMs;
  private final long maxMs;
  private int probe = PROBES_MS.length;
  private long waitMs;

  Backoff(SplittableRandom random, long minMs, long maxMs) {
    this.random = random;
    this.minMs = minMs;
    this.maxMs = maxMs;
    this.waitMs = minMs;
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
    waitMs = maxMs;
  }

  /** How long to wait before the next try. */
  long nextMs() {
    if (probe < PROBES_MS.length) {
      return PROBES_MS[probe++];
    }
    long wait = waitMs;
    waitMs = Math.min(2 * waitMs, maxMs);
    return wait - random.nextLong(wait / 2 + 1);
  }
}
