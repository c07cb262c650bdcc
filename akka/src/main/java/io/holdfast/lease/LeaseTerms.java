package io.holdfast.lease;

import io.holdfast.lock.ClientId;
import io.holdfast.lock.OutOfBound;
import io.holdfast.lock.Ttl;

/**
 * The terms under which a shared lease was granted.
 *
 * @param ttl 1 second to 10 minutes
 * @param client the client that asked for it, to be shown
 * @param session true if it is the lease of a session
 */
public record LeaseTerms(Ttl ttl, ClientId client, boolean session) {

  public static final long MIN_TTL_MILLIS = 1_000;
  public static final long MAX_TTL_MILLIS = 600_000; // 10 minutes

  /** The terms with a ttl that is not checked yet. */
  public static LeaseTerms of(long ttlMs, ClientId client, boolean session) {
    OutOfBound.check("ttl_ms", ttlMs, MIN_TTL_MILLIS, MAX_TTL_MILLIS);
    return new LeaseTerms(new Ttl(ttlMs), client, session);
  }

  public LeaseTerms {
    OutOfBound.check("ttl_ms", ttl.millis(), MIN_TTL_MILLIS, MAX_TTL_MILLIS);
  }
}
