package io.holdfast.keeper;

import static io.holdfast.entity.EntityWorld.acquire;
import static io.holdfast.entity.EntityWorld.acquired;
import static io.holdfast.entity.EntityWorld.grant;
import static io.holdfast.entity.EntityWorld.on;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.entity.EntityWorld;
import io.holdfast.entity.GatedStore;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.journal.state.LeaseEnd;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.LockKey;
import io.holdfast.sharding.KeyShards;
import io.holdfast.sharding.TaskScheduler;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what keepers load from the journal of their node. */
class DeadlineKeepersTest {

  private static final Duration WITHIN = Duration.ofSeconds(10);

  private final EntityWorld world = new EntityWorld();
  private final LockKey key = EntityWorld.key();
  private final long lease = leaseOfTheShard();
  private final OwnedShard owned = world.owned();
  private final List<ShardDeadline> due = new CopyOnWriteArrayList<>();
  private final DeadlineKeepers keepers =
      new DeadlineKeepers(
          TaskScheduler.of(world.kit.system()),
          System::nanoTime,
          GatedStore.SHARD.value() + 1,
          shard -> shard.equals(GatedStore.SHARD) ? Optional.of(owned) : Optional.empty(),
          world.store,
          (shard, what) -> due.add(what));

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void orphans_from_before_a_replaced_journal_are_found() {
    Revision incarnation = hold();
    keepers.begin();
    eventually(
        "the keeper has loaded everything",
        WITHIN,
        () -> keepers.of(owned).size(),
        size -> size == 2);
    world.store.endLease(lease, incarnation); // and no keeper is notified
    assertEquals(List.of(), due);
    keepers.restored();
    eventually(
        "orphans are due", WITHIN, () -> due, all -> all.contains(new ShardDeadline.Orphans(key)));
  }

  @Test
  void orphans_from_before_the_ownership_are_found() {
    world.store.endLease(lease, hold());
    keepers.begin();
    eventually(
        "orphans are due", WITHIN, () -> due, all -> all.contains(new ShardDeadline.Orphans(key)));
  }

  @Test
  void a_lease_ended_by_the_log_is_not_renewed_without_its_actor() {
    Revision incarnation = hold();
    keepers.begin();
    DeadlineKeeper keeper = keepers.of(owned);
    eventually("the keeper has loaded everything", WITHIN, keeper::size, size -> size == 2);
    Renewal keepalive = new Renewal.OfLease(new LeaseId(lease), incarnation);
    assertTrue(keeper.renew(keepalive).orElseThrow().alive());
    keepers.ended(
        new LeaseEnd(LeaseLife.of(new LeaseId(lease), incarnation), Bytes.EMPTY, List.of()));
    assertFalse(keeper.renew(keepalive).orElseThrow().alive());
  }

  @Test
  void outcomes_expire_without_requests() {
    AtomicLong now = new AtomicLong();
    DeadlineKeepers timed =
        new DeadlineKeepers(
            TaskScheduler.of(world.kit.system()),
            now::get,
            GatedStore.SHARD.value() + 1,
            shard -> shard.equals(GatedStore.SHARD) ? Optional.of(owned) : Optional.empty(),
            world.store,
            (shard, what) -> {});
    for (int i = 0; i < 300; i++) { // more than one append drops
      acquired(world.tell(world.lock(EntityWorld.key()), acquire("anna " + i, 60_000, 0)));
    }
    assertEquals(300, world.store.version().requestCount(GatedStore.SHARD));
    timed.begin();
    eventually(
        "all outcomes are dropped",
        WITHIN,
        () -> {
          now.addAndGet(Duration.ofSeconds(1).toNanos());
          return world.store.version().requestCount(GatedStore.SHARD);
        },
        kept -> kept == 0);
    assertTrue(now.get() >= OutcomeRetention.KEPT_FOR.toNanos(), () -> now.get() + " ns");
  }

  private static long leaseOfTheShard() {
    KeyShards<ShardMessage> shards = new KeyShards<>(GatedStore.SHARD.value() + 1);
    return LongStream.generate(EntityWorld::leaseId)
        .filter(id -> shards.of(EntityIds.entityOfLease(new LeaseId(id))).equals(GatedStore.SHARD))
        .findFirst()
        .orElseThrow();
  }

  /** Acquires the lock on the lease. Returns the incarnation of the lease. */
  private Revision hold() {
    LeaseOutcome granted = world.tell(world.lease(lease), grant("lease", 60_000)).outcome();
    Revision incarnation = ((LeaseOutcome.Granted) granted).incarnation();
    acquired(world.tell(world.lock(key), acquire("anna", on(lease, incarnation, 60_000), 0)));
    return incarnation;
  }
}
