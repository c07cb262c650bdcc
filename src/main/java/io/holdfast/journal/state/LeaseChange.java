package io.holdfast.journal.state;

/** What an append does to a lease. */
public sealed interface LeaseChange {

  /**
   * The lease begins a life, whose incarnation is the revision of the append's record. It must not
   * be alive.
   */
  record Begins(long id) implements LeaseChange {}

  /**
   * This life of the lease ends, and with it, at the same revision, every part of any record that
   * hangs on it.
   */
  record Ends(long id, long incarnation) implements LeaseChange {
    public LeaseRef lease() {
      return new LeaseRef(id, incarnation);
    }
  }
}
