package io.holdfast.lock;

/**
 * How a grant ended.
 *
 * @param forceReason why it was taken away, if it was; else empty
 */
public record Ending(Cause cause, String forceReason) {

  public static final Ending RELEASED = new Ending(Cause.RELEASED, "");
  public static final Ending EXPIRED = new Ending(Cause.EXPIRED, "");
  public static final Ending LEASE_ENDED = new Ending(Cause.LEASE_ENDED, "");

  /** Why a grant ended. */
  public enum Cause {
    /** Its holder let go. */
    RELEASED,
    /** Its own ttl passed without a sign of life. */
    EXPIRED,
    /** The shared lease that it hung on has ended: everyone has seen it end by then. */
    LEASE_ENDED,
    /** An operator took it away. */
    FORCED
  }

  static Ending forced(String reason) {
    return new Ending(Cause.FORCED, reason);
  }
}
