package io.holdfast.entity;

import io.holdfast.journal.JournalStore;
import io.holdfast.journal.LeaseEnds;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.LeaseEnd;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The keepers at a member of the cluster. */
interface ShardKeeping extends LeaseEnds.Listener {

  /** Of a member that owns no shards, ever. */
  ShardKeeping NONE =
      new ShardKeeping() {
        @Override
        public Optional<Keeper> of(int shard) {
          return Optional.empty();
        }

        @Override
        public CompletionStage<JournalVersion> confirmed() {
          return CompletableFuture.failedFuture(new IllegalStateException("no journal is here"));
        }

        @Override
        public void ended(LeaseEnd end) {}

        @Override
        public void restored() {}
      };

  /** The keeper of a shard, if it is here. */
  Optional<Keeper> of(int shard);

  /** As {@link JournalStore#confirmed}. */
  CompletionStage<JournalVersion> confirmed();
}
