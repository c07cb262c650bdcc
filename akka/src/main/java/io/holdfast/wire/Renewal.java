package io.holdfast.wire;

import io.holdfast.id.LeaseId;
import io.holdfast.id.Revision;
import io.holdfast.lock.Decision;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.RequestId;
import java.util.Optional;

/** A keepalive of a grant, a request or a lease. */
public sealed interface Renewal {

  /** Returns the keepalive that a decision about a lock implies; empty if it implies none. */
  static Optional<Renewal> impliedBy(Decision decision, LockKey key) {
    return decision.isKeepalive()
        ? ofRequest(decision.outcome(), key).or(() -> ofGrant(decision.outcome(), key))
        : Optional.empty();
  }

  private static Optional<Renewal> ofRequest(Outcome outcome, LockKey key) {
    return outcome instanceof Outcome.Waiting waiting
        ? Optional.of(new OfRequest(key, waiting.request()))
        : Optional.empty();
  }

  private static Optional<Renewal> ofGrant(Outcome outcome, LockKey key) {
    return outcome instanceof Outcome.Acquired acquired
        ? Optional.of(new OfGrant(key, acquired.token()))
        : Optional.empty();
  }

  /** A keepalive of a grant, by its token. */
  record OfGrant(LockKey key, FencingToken token) implements Renewal {}

  /** A keepalive of a request that waits or was granted. */
  record OfRequest(LockKey key, RequestId request) implements Renewal {}

  /**
   * A keepalive of a shared lease.
   *
   * @param incarnation its incarnation; none for the living one
   */
  record OfLease(LeaseId id, Revision incarnation) implements Renewal {}

  /** A question for the remaining time, without a renewal. */
  record Look(Renewal at) implements Renewal {

    public Look {
      if (at instanceof Look) {
        throw new IllegalArgumentException("a look cannot target a look");
      }
    }
  }

  /**
   * The answer to a renewal.
   *
   * @param alive true if the target exists
   * @param ttlMs the renewed or remaining time; 0 if it lives by a shared lease, which this does
   *     not renew
   * @param token the token of the grant; 0 if it waits, or is a lease
   * @param position the position in the queue; 0 if it does not wait, or the position is not known
   *     at little cost
   * @param incarnation the incarnation of the lease; none if it is none
   */
  record Answer(boolean alive, long ttlMs, long token, int position, Revision incarnation) {

    public static final Answer DEAD = new Answer(false, 0, 0, 0, Revision.NONE);

    /** The answer when too many renewals are open. Never leaves the node. */
    public static final Answer OVERLOADED = new Answer(false, -1, 0, 0, Revision.NONE);
  }
}
