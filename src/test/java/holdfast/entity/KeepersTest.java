package holdfast.entity;

import static holdfast.entity.EntityWorld.acquire;
import static holdfast.entity.EntityWorld.acquired;
import static holdfast.entity.EntityWorld.grant;
import static holdfast.entity.EntityWorld.on;
import static holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;

import holdfast.coordination.OwnedShard;
import holdfast.lease.LeaseOutcome;
import holdfast.lock.LockKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the keepers of a node learn from its journal. */
class KeepersTest {

  private static final Duration WITHIN = Duration.ofSeconds(10);

  private final EntityWorld world = new EntityWorld();
  private final LockKey key = EntityWorld.key();
  private final long lease = EntityWorld.leaseId();
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

  /** Holds the lock by the lease; answers the lease's incarnation. */
  private long hold() {
    LeaseOutcome granted = world.tell(world.lease(lease), grant("lease", 60_000)).outcome();
    long incarnation = ((LeaseOutcome.Granted) granted).incarnation();
    acquired(world.tell(world.lock(key), acquire("anna", on(lease, incarnation, 60_000), 0)));
    return incarnation;
  }
}
