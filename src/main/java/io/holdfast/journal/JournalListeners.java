package io.holdfast.journal;

import io.holdfast.journal.state.Change;
import io.holdfast.journal.state.Effects;
import io.holdfast.journal.state.LeaseEnd;
import java.util.ArrayList;
import java.util.List;

/** Who is told of what a journal did, and what they are still to be told. */
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

  /** Where to gather what is to be told. */
  Effects effects() {
    return effects;
  }

  /** Tells what has gathered, up to this revision. */
  void tell(long revision) {
    List<Change> changes = effects.changes();
    List<LeaseEnd> ends = effects.leaseEnds();
    effects.clear();
    if (!changes.isEmpty()) {
      followers.forEach(follower -> follower.changed(changes, revision));
    }
    ends.forEach(end -> listeners.forEach(listener -> listener.ended(end)));
  }

  void restored(long revision) {
    effects.clear();
    followers.forEach(follower -> follower.restored(revision));
    listeners.forEach(Listener::restored);
  }
}
