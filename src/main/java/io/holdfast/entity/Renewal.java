package io.holdfast.entity;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestId;

/** A sign of life. */
public sealed interface Renewal {

  /** Of a grant, by its token. */
  record OfGrant(LockKey key, FencingToken token) implements Renewal {}

  /** Of a request to a lock, which waits or was granted. */
  record OfRequest(LockKey key, RequestId request) implements Renewal {}

  /**
   * Of a shared lease.
   *
   * @param incarnation the one that is meant; 0 for whichever is alive
   */
  record OfLease(long id, long incarnation) implements Renewal {}

  /** No sign of life: a question what is left of the time of another. */
  record Look(Renewal at) implements Renewal {

    public Look {
      if (at instanceof Look) {
        throw new IllegalArgumentException("a look at a look");
      }
    }
  }

  /**
   * What came of it.
   *
   * @param alive whether there was something to renew
   * @param ttlMs what counts anew, or is left; 0 if it lives by a shared lease, not renewed by this
   * @param token of the grant; 0 if it waits, or is a lease
   * @param position in the line; 0 if it does not wait, or that is not known at little cost
   * @param incarnation of the lease; 0 if it is none
   */
  record Answer(boolean alive, long ttlMs, long token, int position, long incarnation) {

    static final Answer DEAD = new Answer(false, 0, 0, 0, 0);

    /** Nobody can be asked now: too many are already. Never leaves the node. */
    static final Answer OVERLOADED = new Answer(false, -1, 0, 0, 0);
  }
}
