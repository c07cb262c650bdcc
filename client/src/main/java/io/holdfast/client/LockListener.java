package io.holdfast.client;

/**
 * Receives the changes of watched locks: one at a time, in their order, on the client's callback
 * threads.
 */
@FunctionalInterface
public interface LockListener {

  /** A lock has changed. Each change is told once. */
  void changed(LockChange change);

  /**
   * The watch is over, and not because it was closed. With {@link RequestRefused} for {@code
   * REASON_COMPACTED} changes were missed: read the locks, and watch anew.
   */
  default void ended(HoldfastException why) {}
}
