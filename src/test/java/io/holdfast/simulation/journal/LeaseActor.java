package io.holdfast.simulation.journal;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.LeaseChange;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.journal.state.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Begins and ends the one lease of a shard, under the epoch under which it was made. */
final class LeaseActor {

  private static final String PREFIX = "lease|";

  private final JournalWorld world;
  private final NodeProcess node;
  private final SplittableRandom chance;
  private final ShardId shard;
  private final Epoch epoch;
  private long lastSequenceNr;
  private boolean ready;
  private boolean stopped;

  LeaseActor(JournalWorld world, NodeProcess node, Holding held, SplittableRandom chance) {
    this.world = world;
    this.node = node;
    this.chance = chance;
    shard = ShardId.of(held.ownership().shard().value());
    epoch = held.ownership().epoch();
    var unused =
        node.store().settled(shard).thenAccept(version -> world.guard(() -> recover(version)));
  }

  private void recover(JournalVersion version) {
    lastSequenceNr = version.highestSequenceNr(shard, new PersistenceId(key())).orElse(0);
    ready = true;
  }

  static boolean isKey(String key) {
    return key.startsWith(PREFIX);
  }

  /** All leases that are alive. */
  static List<LeaseLife> alive(JournalVersion version) {
    List<LeaseLife> alive = new ArrayList<>();
    for (ShardId shard : JournalWorld.ALL_SHARDS) {
      version.lease(leaseOf(shard)).ifPresent(alive::add);
    }
    return alive;
  }

  private static LeaseId leaseOf(ShardId shard) {
    return new LeaseId(1L + shard.value());
  }

  private String key() {
    return PREFIX + shard.value();
  }

  boolean isStopped() {
    return stopped;
  }

  void act() {
    if (stopped || !ready || chance.nextInt(4) > 0) {
      return;
    }
    Optional<LeaseLife> alive = node.store().version().lease(leaseOf(shard));
    if (alive.isPresent()) {
      append(new PublicChange.Absent(Bytes.EMPTY), new LeaseChange.Ends(alive.get()));
    } else {
      append(PublicChange.Set.of(Bytes.EMPTY), new LeaseChange.Begins(leaseOf(shard)));
    }
  }

  private void append(PublicChange seen, LeaseChange change) {
    ready = false;
    long number = ++lastSequenceNr;
    var unused =
        node.store()
            .append(
                shard,
                epoch,
                appendId ->
                    new Append(
                        appendId,
                        new PersistenceId(key()),
                        number,
                        Bytes.EMPTY,
                        Bytes.EMPTY,
                        new Draft(
                            List.of(seen),
                            change,
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of(),
                            false,
                            0,
                            change instanceof LeaseChange.Begins ? Need.ROOM : Need.NOTHING,
                            /* waiters= */ 0)))
            .whenComplete((verdict, failure) -> world.guard(() -> decided(verdict)));
  }

  private void decided(@Nullable Verdict verdict) {
    ready = true;
    stopped = !(verdict instanceof Verdict.Applied);
  }
}
