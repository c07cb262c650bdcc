package io.holdfast.lease.rules;

import io.holdfast.lock.Ttl;

/** The final result of a request to a lease. It is kept, to answer the same request again. */
public sealed interface RecordedLeaseOutcome {

  /** A hash over the request, see {@link io.holdfast.lock.ContentHash}. */
  long content();

  /** It was granted, with this ttl. */
  record Granted(long content, Ttl ttl) implements RecordedLeaseOutcome {}

  /** It ended the lease. */
  record Revoked(long content) implements RecordedLeaseOutcome {}
}
