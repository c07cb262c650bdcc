package io.holdfast.bench.locks;

import java.util.BitSet;

/**
 * The numbers of one session's operations, and the lowest of them that has no final answer. Safe
 * for use by many threads.
 */
final class OpenNumbers {

  private static final int KEPT = 65_536;

  private final BitSet finished = new BitSet();
  private long base;
  private long next = 1;
  private long lowest = 1;

  synchronized long take() {
    return next++;
  }

  synchronized void finished(long number) {
    finished.set(Math.toIntExact(number - base));
    lowest = base + finished.nextClearBit(Math.toIntExact(lowest - base));
    if (lowest - base > KEPT) {
      BitSet left = finished.get(Math.toIntExact(lowest - base), finished.length());
      finished.clear();
      finished.or(left);
      base = lowest;
    }
  }

  synchronized long lowest() {
    return lowest;
  }
}
