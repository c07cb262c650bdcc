package io.holdfast.journal.state;

/** The beginning or the end of a lease, with an append. */
public sealed interface LeaseChange {

  /**
   * The beginning of a lease. Its incarnation is the revision of the append's record. It must not
   * be alive.
   */
  record Begins(long id) implements LeaseChange {}

  /**
   * The end of this incarnation of a lease, and at the same revision of every part of any record
   * that is attached to it.
   */
  record Ends(long id, long incarnation) implements LeaseChange {
    public LeaseRef lease() {
      return new LeaseRef(id, incarnation);
    }
  }
}
