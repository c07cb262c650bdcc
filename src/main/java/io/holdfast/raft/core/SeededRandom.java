package io.holdfast.raft.core;

/** A sequence of numbers that look random and follow from the seed alone (SplitMix64). */
final class SeededRandom {

  private long state;

  SeededRandom(long seed) {
    state = seed;
  }

  /** The next number in {@code [0, bound)}. */
  int below(int bound) {
    state += 0x9E3779B97F4A7C15L;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return (int) Long.remainderUnsigned(z ^ (z >>> 31), bound);
  }
}
