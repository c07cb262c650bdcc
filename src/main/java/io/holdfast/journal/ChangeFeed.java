package io.holdfast.journal;

import io.holdfast.id.Revision;
import io.holdfast.journal.state.Change;
import java.util.List;

/** Feed of the public changes, in the order in which this node applies them. */
public interface ChangeFeed {

  /** Receives public changes on the log's own thread, which it must not block. */
  interface Follower {

    /**
     * Receives the changes since the last call, in order and without a gap. It has now received all
     * changes up to this revision: changes of one revision always come in one call.
     */
    void changed(List<Change> changes, Revision revision);

    /**
     * The journal was replaced by a later one. The changes between the two are not known on this
     * node.
     */
    void restored(Revision revision);
  }

  /** Registers a follower. Must be called before the log starts. */
  void follow(Follower follower);
}
