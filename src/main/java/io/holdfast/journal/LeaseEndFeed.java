package io.holdfast.journal;

import io.holdfast.journal.state.LeaseEnd;

/** Feed of the ends of leases, in the order in which this node applies them. */
public interface LeaseEndFeed {

  /**
   * Receives ends on the log's own thread, which it must not block. The journal's version already
   * includes each.
   */
  @FunctionalInterface
  interface Listener {
    void ended(LeaseEnd end);

    /**
     * The journal was replaced by a later one. Only there can leases be found that ended meanwhile.
     */
    default void restored() {}
  }

  /** Registers a listener. Must be called before the log starts. */
  void listen(Listener listener);
}
