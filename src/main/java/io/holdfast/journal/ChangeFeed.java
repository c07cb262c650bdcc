package io.holdfast.journal;

import io.holdfast.journal.state.Change;
import java.util.List;

/** The public changes, as this node applies them. */
public interface ChangeFeed {

  /** Is told of public changes on the log's own thread, which it must not hold up. */
  interface Follower {

    /**
     * These happened, in order and without a gap since the last call. All changes up to this
     * revision have been told: those of one revision always come in one call.
     */
    void changed(List<Change> changes, long revision);

    /** The journal was replaced by a later one: what led to it is not known here. */
    void restored(long revision);
  }

  /** Begins to tell a follower; to be called before the log begins. */
  void follow(Follower follower);
}
