package io.holdfast.config;

import io.holdfast.config.member.SettingsReader;

/**
 * The limit on the memory for what the cluster keeps; {@code holdfast.state} in reference.conf.
 *
 * @param maxHeapPercent the part that the state may take of the heap, beyond what a node takes
 *     itself
 * @param maxBytes the largest size of that state, whatever the heap is; 0 for no such bound
 */
public record StateSettings(int maxHeapPercent, long maxBytes) {

  /** A node without any state takes so much, and its largest messages and buffers. */
  static final long OWN_BYTES = 48L << 20;

  /** Of a heap that is hardly larger than that, state may take this part. */
  private static final int LEAST_SHARE = 16;

  static StateSettings from(SettingsReader read) {
    return new StateSettings(
        read.integer("state.max-heap-percent", 1, 60),
        read.bytes("state.max-bytes", 0, Long.MAX_VALUE));
  }

  /** The bytes of state that a node with this heap has room for. */
  public long capacity(long heapBytes) {
    long left = (heapBytes - OWN_BYTES) / 100 * maxHeapPercent;
    long share = Math.max(heapBytes / LEAST_SHARE, left);
    return Math.max(1, maxBytes == 0 ? share : Math.min(share, maxBytes));
  }
}
