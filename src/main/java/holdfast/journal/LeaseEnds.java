package holdfast.journal;

import holdfast.journal.state.LeaseEnd;

/** The ends of leases, as this node applies them. */
public interface LeaseEnds {

  /**
   * Is told of ends on the log's own thread, which it must not hold up, and finds each in the
   * journal's version. What ended before the journal was replaced by a later one it is not told:
   * see {@link ChangeFeed.Follower#restored}.
   */
  @FunctionalInterface
  interface Listener {
    void ended(LeaseEnd end);
  }

  /** Begins to tell a listener; to be called before the log begins. */
  void listen(Listener listener);
}
