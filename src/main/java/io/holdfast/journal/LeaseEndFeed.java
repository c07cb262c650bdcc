package io.holdfast.journal;

import io.holdfast.journal.state.LeaseEnd;

/** The ends of leases, as this node applies them. */
public interface LeaseEndFeed {

  /**
   * Is told of ends on the log's own thread, which it must not hold up, and finds each in the
   * journal's version.
   */
  @FunctionalInterface
  interface Listener {
    void ended(LeaseEnd end);

    /** The journal was replaced by a later one: what ended meanwhile is only to be found there. */
    default void restored() {}
  }

  /** Begins to tell a listener; to be called before the log begins. */
  void listen(Listener listener);
}
