package io.holdfast.hosting;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.sharding.ShardRegion;
import akka.cluster.sharding.typed.GetShardRegionState;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import io.holdfast.entity.EntityWorld;
import io.holdfast.id.Epoch;
import io.holdfast.id.PersistenceId;
import io.holdfast.journal.InMemoryJournalStore;
import io.holdfast.journal.state.Bounds;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.sharding.LockShards;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the passivation of actors, in a cluster of one node that owns all shards. */
@Tag("slow")
class PassivationTest {

  private static final Duration WITHIN = Duration.ofSeconds(30);

  private final InMemoryJournalStore store =
      new InMemoryJournalStore(Bounds.DEFAULT, shard -> new Epoch(1));
  private Set<String> regionsWhenTold = Set.of("not notified");
  private final HostedLocks node =
      HostedLocks.start(
          "holdfast.locks { idle-after = 1s, max-in-memory = 1000 }",
          store,
          system -> regionsWhenTold = regions(system));
  private final LockShards locks = node.locks();

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void ends_of_leases_are_heard_before_the_first_shard_runs() {
    assertEquals(Set.of(), regionsWhenTold);
    assertEquals(Set.of("lock"), regions(node.kit().system()));
  }

  private static Set<String> regions(ActorSystem<?> system) {
    return Set.copyOf(
        akka.cluster.sharding.ClusterSharding.get(Adapter.toClassic(system)).getShardTypeNames());
  }

  @Test
  void idle_locks_leave_memory_and_only_held_ones_are_kept() throws Exception {
    LockKey free = new LockKey("free");
    LockKey held = new LockKey("held");
    FencingToken token = acquire(free, "anna");
    assertInstanceOf(
        Outcome.Released.class, ask(free, EntityWorld.release("done", token)).outcome());
    FencingToken kept = acquire(held, "bert");
    eventually("actors in memory", WITHIN, this::inMemory, List::isEmpty);
    assertEquals(List.of(), keys(free));
    assertEquals(List.of(EntityIds.of(held)), keys(held));
    assertEquals(kept, acquire(held, "bert"), "its next actor knows it");
    assertTrue(acquire(free, "carl").value() > token.value(), "I2 TokenMonotonic");
  }

  @Test
  void the_longest_idle_of_too_many_locks_leave_memory() throws Exception {
    for (int i = 0; i < 1_500; i++) {
      acquire(new LockKey("key-" + i), "anna-" + i);
    }
    assertTrue(
        inMemory().size() <= 1_000 + HostedLocks.SHARDS, () -> inMemory().size() + " in memory");
    acquire(new LockKey("key-0"), "anna-0");
  }

  private List<PersistenceId> keys(LockKey key) {
    return store.version().liveIds(locks.shard(key), "", 10);
  }

  private List<String> inMemory() {
    TestProbe<ShardRegion.CurrentShardRegionState> probe =
        node.kit().createTestProbe(ShardRegion.CurrentShardRegionState.class);
    ClusterSharding.get(node.kit().system())
        .shardState()
        .tell(
            new GetShardRegionState(
                EntityTypeKey.create(ShardMessage.class, "lock"), probe.getRef()));
    return probe.receiveMessage().getShards().stream()
        .flatMap(shard -> Stream.of(shard.getEntityIds().toArray(String[]::new)))
        .toList();
  }

  private FencingToken acquire(LockKey key, String name) throws Exception {
    return assertInstanceOf(
            Outcome.Acquired.class, ask(key, EntityWorld.acquire(name, 60_000, 0)).outcome())
        .token();
  }

  private LockAnswer ask(LockKey key, LockCommand command) throws Exception {
    return locks.handle(key, command).toCompletableFuture().get(30, TimeUnit.SECONDS);
  }
}
