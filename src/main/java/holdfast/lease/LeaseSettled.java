package holdfast.lease;

import holdfast.lock.Ttl;

/** What a request to a lease came to, for good. */
public sealed interface LeaseSettled {

  /** What the request asked for. */
  long content();

  /** It was granted, with this ttl. */
  record Granted(long content, Ttl ttl) implements LeaseSettled {}

  /** It ended the lease. */
  record Revoked(long content) implements LeaseSettled {}
}
