package io.holdfast.client;

/**
 * Receives the changes of watched locks: one at a time, in their order, on the client's callback
 * threads.
 */
@FunctionalInterface
public interface LockListener {

  /** A lock has changed. Each change is reported once. */
  void changed(LockChange change);

  /**
   * The watch has ended by a failure. {@link RequestRefused} with {@code REASON_COMPACTED} means
   * that changes were missed: read the locks, and start a new watch.
   */
  default void ended(HoldfastException why) {}
}
