package io.holdfast.entity;

import static io.holdfast.entity.EntityWorld.acquire;
import static io.holdfast.entity.EntityWorld.acquired;
import static io.holdfast.entity.EntityWorld.grant;
import static io.holdfast.entity.EntityWorld.on;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.coordination.OwnedShard;
import io.holdfast.journal.state.Bytes;
import io.holdfast.journal.state.LeaseEnd;
import io.holdfast.journal.state.LeaseRef;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.LockKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the keepers of a node learn from its journal. */
class KeepersTest {

  private static final Duration WITHIN = Duration.ofSeconds(10);

  private final EntityWorld world = new EntityWorld();
  private final LockKey key = EntityWorld.key();
  private final long lease = leaseOfTheShard();
  private final OwnedShard owned = world.owned();
  private final List<Timed> due = new CopyOnWriteArrayList<>();
  private final Keepers keepers =
      new Keepers(
          Agenda.of(world.kit.system()),
          System::nanoTime,
          GatedStore.SHARD + 1,
          shard -> shard == GatedStore.SHARD ? Optional.of(owned) : Optional.empty(),
          world.store,
          (shard, what) -> due.add(what));

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void what_hung_on_a_lease_that_ended_while_the_journal_was_replaced_is_found() {
    long incarnation = hold();
    keepers.begin();
    eventually("the keeper knows all", WITHIN, () -> keepers.of(owned).size(), size -> size == 2);
    world.store.endLease(lease, incarnation); // and nobody is told
    assertEquals(List.of(), due);
    keepers.restored();
    eventually("orphans are due", WITHIN, () -> due, all -> all.contains(new Timed.Orphans(key)));
  }

  @Test
  void what_hung_on_a_lease_that_ended_before_the_node_owned_the_shard_is_found() {
    world.store.endLease(lease, hold());
    keepers.begin();
    eventually("orphans are due", WITHIN, () -> due, all -> all.contains(new Timed.Orphans(key)));
  }

  @Test
  void a_lease_that_the_log_has_ended_is_not_kept_alive_though_its_actor_is_silent() {
    long incarnation = hold();
    keepers.begin();
    Keeper keeper = keepers.of(owned);
    eventually("the keeper knows all", WITHIN, keeper::size, size -> size == 2);
    Renewal keepalive = new Renewal.OfLease(lease, incarnation);
    assertTrue(keeper.renew(keepalive).orElseThrow().alive());
    keepers.ended(new LeaseEnd(new LeaseRef(lease, incarnation), Bytes.EMPTY, List.of()));
    assertFalse(keeper.renew(keepalive).orElseThrow().alive());
  }

  @Test
  void outcomes_go_when_their_time_has_passed_though_nobody_asks_for_anything() {
    AtomicLong now = new AtomicLong();
    Keepers timed =
        new Keepers(
            Agenda.of(world.kit.system()),
            now::get,
            GatedStore.SHARD + 1,
            shard -> shard == GatedStore.SHARD ? Optional.of(owned) : Optional.empty(),
            world.store,
            (shard, what) -> {});
    for (int i = 0; i < 300; i++) { // more than go with one append
      acquired(world.tell(world.lock(EntityWorld.key()), acquire("anna " + i, 60_000, 0)));
    }
    assertEquals(300, world.store.version().requestCount(GatedStore.SHARD));
    timed.begin();
    eventually(
        "nothing is remembered for ever",
        WITHIN,
        () -> {
          now.addAndGet(Duration.ofSeconds(1).toNanos());
          return world.store.version().requestCount(GatedStore.SHARD);
        },
        kept -> kept == 0);
    assertTrue(now.get() >= Memory.KEPT_FOR.toNanos(), () -> now.get() + " ns");
  }

  private static long leaseOfTheShard() {
    KeyShards<ShardMessage> shards = new KeyShards<>(GatedStore.SHARD + 1);
    return LongStream.generate(EntityWorld::leaseId)
        .filter(id -> shards.number(Ids.entityOfLease(id)) == GatedStore.SHARD)
        .findFirst()
        .orElseThrow();
  }

  /** Holds the lock by the lease; answers the lease's incarnation. */
  private long hold() {
    LeaseOutcome granted = world.tell(world.lease(lease), grant("lease", 60_000)).outcome();
    long incarnation = ((LeaseOutcome.Granted) granted).incarnation();
    acquired(world.tell(world.lock(key), acquire("anna", on(lease, incarnation, 60_000), 0)));
    return incarnation;
  }
}
