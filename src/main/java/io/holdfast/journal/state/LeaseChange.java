package io.holdfast.journal.state;

import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;

/** The beginning or the end of a lease, with an append. */
public sealed interface LeaseChange {

  /**
   * The beginning of a lease. Its incarnation is the revision of the append's record. It must not
   * be alive.
   */
  record Begins(LeaseId id) implements LeaseChange {}

  /**
   * The end of this incarnation of a lease, and at the same revision of every part of any record
   * that is attached to it.
   */
  record Ends(LeaseLife lease) implements LeaseChange {}
}
