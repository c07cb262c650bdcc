package io.holdfast.journal.state;

/**
 * The counter of public changes, without gaps. Its upper 16 bits are the generation of the cluster.
 */
final class RevisionCounter {

  private static final int COUNTER_BITS = 48;

  private long current;

  RevisionCounter(long current) {
    this.current = current;
  }

  static long first(int generation) {
    Required.within("generation", generation, 0, Short.MAX_VALUE);
    return (long) generation << COUNTER_BITS;
  }

  long current() {
    return current;
  }

  long next() {
    return ++current;
  }
}
