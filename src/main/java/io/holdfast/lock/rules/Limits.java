package io.holdfast.lock.rules;

import io.holdfast.id.LeaseLife;
import io.holdfast.lock.RequestId;
import java.util.OptionalInt;

/**
 * Limits over many locks, judged by the state that the deciding node has applied. Commands in
 * flight at other locks are not counted, and may exceed a limit by as much.
 */
public interface Limits {

  /** No limits at all. */
  Limits NONE =
      new Limits() {
        @Override
        public OptionalInt requestIds(RequestId another, int decidedNow) {
          return OptionalInt.empty();
        }

        @Override
        public OptionalInt keysOn(LeaseLife lease) {
          return OptionalInt.empty();
        }
      };

  /**
   * Returns the largest number of recorded outcomes of named requests, if one more would exceed it.
   *
   * @param decidedNow the number of other requests of its client that are decided and not yet
   *     applied
   */
  OptionalInt requestIds(RequestId another, int decidedNow);

  /** Returns the largest number of keys on the lease, if one more would exceed it. */
  OptionalInt keysOn(LeaseLife lease);

  /**
   * Returns the largest size of the whole state in MiB, if it is reached: nothing is granted or
   * queued then.
   */
  default OptionalInt state() {
    return OptionalInt.empty();
  }

  /** Returns the same, if the reserve for records of late copies is used up as well. */
  default OptionalInt reserve() {
    return OptionalInt.empty();
  }
}
