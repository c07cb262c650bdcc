package io.holdfast.lock.rules;

/**
 * The end of a grant.
 *
 * @param forceReason the reason of a forced end; else empty
 */
public record GrantEnding(Cause cause, String forceReason) {

  public static final GrantEnding RELEASED = new GrantEnding(Cause.RELEASED, "");
  public static final GrantEnding EXPIRED = new GrantEnding(Cause.EXPIRED, "");
  public static final GrantEnding LEASE_ENDED = new GrantEnding(Cause.LEASE_ENDED, "");

  /** The cause of the end of a grant. */
  public enum Cause {
    /** Its holder released it. */
    RELEASED,
    /** Its own ttl passed without a keepalive. */
    EXPIRED,
    /** Its shared lease ended; everyone saw that before. */
    LEASE_ENDED,
    /** An operator forced the lock free. */
    FORCED
  }

  static GrantEnding forced(String reason) {
    return new GrantEnding(Cause.FORCED, reason);
  }
}
