package io.holdfast.journal;

import io.holdfast.id.Revision;
import io.holdfast.journal.state.Change;
import io.holdfast.journal.state.Effects;
import io.holdfast.journal.state.LeaseEnd;
import java.util.ArrayList;
import java.util.List;

/**
 * The listeners to a journal's changes and ends of leases, and the effects that they have yet to be
 * told.
 */
final class JournalListeners implements ChangeFeed, LeaseEndFeed {

  private final List<Follower> followers = new ArrayList<>();
  private final List<Listener> listeners = new ArrayList<>();
  private final Effects effects = new Effects();

  @Override
  public void follow(Follower follower) {
    followers.add(follower);
  }

  @Override
  public void listen(Listener listener) {
    listeners.add(listener);
  }

  /** Collects the effects for the next call of {@link #tell}. */
  Effects effects() {
    return effects;
  }

  /** Tells the listeners the collected effects, up to this revision. */
  void tell(Revision revision) {
    List<Change> changes = effects.changes();
    List<LeaseEnd> ends = effects.leaseEnds();
    effects.clear();
    if (!changes.isEmpty()) {
      followers.forEach(follower -> follower.changed(changes, revision));
    }
    ends.forEach(end -> listeners.forEach(listener -> listener.ended(end)));
  }

  void restored(Revision revision) {
    effects.clear();
    followers.forEach(follower -> follower.restored(revision));
    listeners.forEach(Listener::restored);
  }
}
