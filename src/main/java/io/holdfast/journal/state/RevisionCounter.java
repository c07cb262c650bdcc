package io.holdfast.journal.state;

import io.holdfast.id.Revision;

/**
 * The counter of public changes, without gaps. Its upper 16 bits are the generation of the cluster.
 */
final class RevisionCounter {

  private static final int COUNTER_BITS = 48;

  private Revision current;

  RevisionCounter(Revision current) {
    this.current = current;
  }

  static Revision first(int generation) {
    Required.within("generation", generation, 0, Short.MAX_VALUE);
    return new Revision((long) generation << COUNTER_BITS);
  }

  Revision current() {
    return current;
  }

  Revision next() {
    current = current.next();
    return current;
  }
}
