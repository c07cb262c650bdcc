package io.holdfast.raft.core;

/**
 * The lag of a leader's own disk behind those of the others: how long after their commit it has the
 * entries that they committed without it.
 */
final class DiskLag {

  /** The number of late entries in a row that make a lag. */
  private static final int LASTING = 8;

  private long awaited;
  private long sinceMs;
  private int late;
  private long lateAtMs;

  /** The others have committed up to {@code index}, which this disk does not have yet. */
  void committed(long index, long nowMs) {
    if (awaited == 0) {
      awaited = index;
      sinceMs = nowMs;
    }
  }

  /**
   * This disk has everything up to {@code index}, and the others had committed that before or not.
   */
  void durable(long index, boolean isCommitted, long nowMs, long leastMs) {
    if (!isCommitted) {
      late = 0;
    }
    if (awaited > 0 && index >= awaited) {
      late = isCommitted && nowMs - sinceMs >= leastMs ? late + 1 : 0;
      lateAtMs = nowMs;
      awaited = 0;
    }
  }

  /**
   * True if it has been so for a while, and still within the last {@code withinMs}, so that another
   * leads better. Of a disk that has had nothing to do since, nothing is known.
   */
  boolean isLasting(long nowMs, long withinMs) {
    return late >= LASTING && nowMs - lateAtMs <= withinMs;
  }
}
