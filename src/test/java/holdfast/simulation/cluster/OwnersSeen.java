package holdfast.simulation.cluster;

import holdfast.coordination.Owners;
import holdfast.simulation.journal.JournalWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/** The owners of shards as a process has heard of them, and tells of those that change. */
final class OwnersSeen implements Owners {

  private final Owners now;
  private final IntConsumer moved;
  private final List<Optional<Owner>> last = new ArrayList<>();
  private long version;

  OwnersSeen(Owners now, IntConsumer moved) {
    this.now = now;
    this.moved = moved;
    for (int shard = 0; shard < JournalWorld.SHARDS; shard++) {
      last.add(Optional.empty());
    }
  }

  /** Tells of the shards that have come to other owners since the last look. */
  void look() {
    for (int shard = 0; shard < JournalWorld.SHARDS; shard++) {
      Optional<Owner> owner = now.of(shard);
      if (!owner.equals(last.get(shard))) {
        last.set(shard, owner);
        version++;
        if (owner.isPresent()) {
          moved.accept(shard);
        }
      }
    }
  }

  @Override
  public Optional<Owner> of(int shard) {
    return now.of(shard);
  }

  @Override
  public long version() {
    return version;
  }
}
