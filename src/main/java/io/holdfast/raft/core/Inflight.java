package io.holdfast.raft.core;

/** The last indexes of the append messages a follower has not answered, oldest first. */
final class Inflight {

  private final long[] ring;
  private int start;
  private int count;

  Inflight(int capacity) {
    ring = new long[capacity];
  }

  boolean isFull() {
    return count == ring.length;
  }

  boolean isEmpty() {
    return count == 0;
  }

  void add(long lastIndex) {
    ring[(start + count) % ring.length] = lastIndex;
    count++;
  }

  /** Everything up to {@code index} has arrived. */
  void freeTo(long index) {
    while (count > 0 && ring[start] <= index) {
      start = (start + 1) % ring.length;
      count--;
    }
  }

  void clear() {
    count = 0;
  }
}
