package io.holdfast.lock;

import java.util.OptionalInt;

/**
 * Bounds that one lock cannot judge alone, by what the deciding node has applied: what is on its
 * way at other locks is not counted in, and may pass them by as much.
 */
public interface Limits {

  /** Nothing is bounded. */
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
   * Says how many outcomes may be kept for those who ask by name, if not even this one more.
   *
   * @param decidedNow how many others of its client are decided and not yet applied
   */
  OptionalInt requestIds(RequestId another, int decidedNow);

  /** How many keys may hang on the lease, if not even one more. */
  OptionalInt keysOn(LeaseLife lease);

  /** How many MiB all that is kept may take, if it does: nothing more is granted or queued. */
  default OptionalInt state() {
    return OptionalInt.empty();
  }

  /** The same, if even the reserve is used up, for what is kept only to be sure. */
  default OptionalInt reserve() {
    return OptionalInt.empty();
  }
}
