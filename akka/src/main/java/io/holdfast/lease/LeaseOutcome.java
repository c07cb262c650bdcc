package io.holdfast.lease;

import io.holdfast.id.Revision;
import io.holdfast.lock.Ttl;

/** The outcome of a command to a lease, for whoever asked. */
public sealed interface LeaseOutcome {

  /** The lease began. */
  record Granted(Revision incarnation, Ttl ttl, boolean repeated) implements LeaseOutcome {}

  /** The lease ended, and so many grants with it. */
  record Ended(int released, boolean repeated) implements LeaseOutcome {}

  /** Nothing changed. */
  record Refused(Reason reason) implements LeaseOutcome {}

  /** The reason for which a lease refused a request. */
  enum Reason {
    /** A lease of this id is alive. */
    EXISTS,
    /** No lease of this id, or not the one that is meant or was granted, is alive. */
    NOT_FOUND,
    /** The request id came before, with another request. */
    REQUEST_REUSED,
    /** There are as many leases as may be. */
    TOO_MANY_LEASES,
    /** As many outcomes of named requests are kept as may be, of the client or of all. */
    TOO_MANY_REQUEST_IDS,
    /** As many commands wait for the lease as may. */
    OVERLOADED,
    /** All that the cluster keeps has reached its bound. */
    STATE_FULL
  }
}
