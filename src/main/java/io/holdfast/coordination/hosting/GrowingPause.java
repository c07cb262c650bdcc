package io.holdfast.coordination.hosting;

/**
 * The pause after something that should seldom be done: twice as long each time, unless long enough
 * was nothing done.
 */
final class GrowingPause {

  private final long leastMs;
  private final long mostMs;
  private long beganMs;
  private long ms;

  GrowingPause(long leastMs, long mostMs) {
    this.leastMs = leastMs;
    this.mostMs = mostMs;
  }

  boolean isOver(long nowMs) {
    return ms == 0 || nowMs - beganMs >= ms;
  }

  /** It is done now. */
  void begin(long nowMs) {
    boolean again = ms > 0 && nowMs - beganMs < 4 * ms;
    ms = again ? Math.min(mostMs, 2 * ms) : leastMs;
    beganMs = nowMs;
  }
}
