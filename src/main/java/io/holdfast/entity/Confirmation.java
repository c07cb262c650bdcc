package io.holdfast.entity;

import io.holdfast.coordination.OwnedShard;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.state.JournalVersion;
import java.util.function.Consumer;

/**
 * Confirms a decision that was made without a write. A round of the log shows that no later owner
 * had written to the shard, so that the decision used the committed state.
 */
record Confirmation(JournalStore store, OwnedShard owned) {

  /* A node whose session was ended by mistake still trusts it for a while, and has not heard of the
   * writes of the next owner. Its state is stale then: things that it misses may exist, and things
   * that it has may have ended.
   */

  /**
   * Runs the action with the journal that confirms the decision. Without a confirmation it never
   * runs, and the caller asks again.
   */
  void then(Consumer<JournalVersion> action) {
    var unused =
        store
            .confirmed()
            .thenAccept(
                version -> {
                  if (version.epoch(owned.shard()).compareTo(owned.epoch()) <= 0) {
                    action.accept(version);
                  }
                });
  }
}
