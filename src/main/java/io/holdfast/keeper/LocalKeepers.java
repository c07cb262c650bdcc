package io.holdfast.keeper;

import io.holdfast.id.ShardId;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.LeaseEndFeed;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.LeaseEnd;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The deadline keepers of one member of the cluster. */
public interface LocalKeepers extends LeaseEndFeed.Listener {

  /** The keepers of a member that never owns shards. */
  LocalKeepers NONE =
      new LocalKeepers() {
        @Override
        public Optional<DeadlineKeeper> of(ShardId shard) {
          return Optional.empty();
        }

        @Override
        public CompletionStage<JournalVersion> confirmed() {
          return CompletableFuture.failedFuture(
              new IllegalStateException("this member has no journal"));
        }

        @Override
        public void ended(LeaseEnd end) {}

        @Override
        public void restored() {}
      };

  /** Returns the keeper of a shard, if this member has it. */
  Optional<DeadlineKeeper> of(ShardId shard);

  /** As {@link JournalStore#confirmed}. */
  CompletionStage<JournalVersion> confirmed();
}
