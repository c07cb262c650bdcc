package io.holdfast.entity;

import io.holdfast.coordination.OwnedShard;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.state.JournalVersion;
import java.util.function.Consumer;

/**
 * Confirms what an actor decided without a write: a round of the log shows that no later owner had
 * written to the shard, so that the state which it decided by was the committed one.
 */
record Confirmation(JournalStore store, OwnedShard owned) {

  /*
   * A node that was wrongly found to be gone is sure of its session for a while, and has not heard
   * of what the next owner wrote. Its own state is then an old one: what it says is not there may
   * be there, and what it says stands may have ended.
   */

  /** Gives the journal that confirms it; never, if it is not confirmed: who asked asks again. */
  void then(Consumer<JournalVersion> tells) {
    var unused =
        store
            .confirmed()
            .thenAccept(
                version -> {
                  if (version.epoch(owned.shard()) <= owned.epoch()) {
                    tells.accept(version);
                  }
                });
  }
}
