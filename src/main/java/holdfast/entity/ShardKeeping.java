package holdfast.entity;

import holdfast.journal.LeaseEnds;
import holdfast.journal.state.LeaseEnd;
import java.util.Optional;

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
        public void ended(LeaseEnd end) {}

        @Override
        public void restored() {}
      };

  /** The keeper of a shard, if it is here. */
  Optional<Keeper> of(int shard);
}
