package io.holdfast.hosting;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.typed.ShardingEnvelope;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityContext;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import io.holdfast.config.LockSettings;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.coordination.ShardOwnership;
import io.holdfast.coordination.akka.AkkaCoordination;
import io.holdfast.coordination.member.Owners;
import io.holdfast.entity.LeaseLogic;
import io.holdfast.entity.LockLogic;
import io.holdfast.entity.ShardEntity;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.LeaseEndFeed;
import io.holdfast.keeper.DeadlineKeepers;
import io.holdfast.keeper.ShardDeadline;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.rules.LockMachine;
import io.holdfast.sharding.KeyShards;
import io.holdfast.sharding.LockShards;
import io.holdfast.sharding.TaskScheduler;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.ShardMessage;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Hosts the locks and leases of a node that runs shards: creates their actors, and restarts them.
 */
public final class LockHosting {

  private final ClusterSharding sharding;
  private final LockSettings settings;
  private final KeyShards<ShardMessage> shards;
  private final ShardOwnership ownership;
  private final JournalStore store;
  private final DeadlineKeepers keepers;
  private final EntityRestarter restarter;
  private final LockMachine machine;

  private LockHosting(
      ActorSystem<?> system,
      LockSettings settings,
      KeyShards<ShardMessage> shards,
      ShardOwnership ownership,
      JournalStore store) {
    this.settings = settings;
    this.shards = shards;
    this.ownership = ownership;
    this.store = store;
    sharding = ClusterSharding.get(system);
    keepers =
        new DeadlineKeepers(
            TaskScheduler.of(system),
            System::nanoTime,
            settings.shards(),
            ownership,
            store,
            this::due);
    restarter = new EntityRestarter(system, ownership);
    machine = new LockMachine(settings.maxWaiters());
  }

  /**
   * Starts to host the locks and leases of the shards that this node owns, and opens the entry
   * point to all of them. The journal of the node must be open.
   *
   * @param leaseEnds receives the listener for ends of leases, before the first shard can run here
   */
  public static LockShards start(
      ActorSystem<?> system,
      LockSettings settings,
      ShardOwnership ownership,
      Owners owners,
      JournalStore store,
      Consumer<LeaseEndFeed.Listener> leaseEnds) {
    KeyShards<ShardMessage> shards = new KeyShards<>(settings.shards());
    LockHosting hosting = new LockHosting(system, settings, shards, ownership, store);
    leaseEnds.accept(hosting.keepers);
    LockShards locks =
        new LockShards(
            system, settings.answerWithin(), shards, owners, hosting.begin(), hosting.keepers);
    hosting.keepers.begin();
    return locks;
  }

  private ActorRef<ShardingEnvelope<ShardMessage>> begin() {
    return sharding.init(
        Entity.of(LockShards.TYPE, this::make)
            .withRole(AkkaCoordination.HOST_ROLE)
            .withMessageExtractor(shards)
            .withStopMessage(ShardMessage.Lifecycle.STOP));
  }

  private Behavior<ShardMessage> make(EntityContext<ShardMessage> context) {
    String name = context.getEntityId();
    // The epoch is read here, once: in the shard, after it has its lease.
    Optional<OwnedShard> owned = ownership.of(shards.of(name));
    if (owned.isEmpty() || EntityIds.shard(name).isPresent()) {
      return notHere();
    }
    Runnable whenFailed = () -> restarter.failed(owned.get().shard(), actor(name));
    return EntityIds.isLease(name)
        ? ShardEntity.lease(lease(context, owned.get()), whenFailed)
        : ShardEntity.lock(lock(context, owned.get()), whenFailed);
  }

  private LockLogic.Terms lock(EntityContext<ShardMessage> context, OwnedShard owned) {
    return new LockLogic.Terms(
        new LockKey(context.getEntityId()), owned, keepers.of(owned), store, machine, settings);
  }

  private LeaseLogic.Terms lease(EntityContext<ShardMessage> context, OwnedShard owned) {
    return new LeaseLogic.Terms(
        EntityIds.lease(EntityIds.persistenceId(context.getEntityId())).orElseThrow(),
        context.getShard(),
        actor(context.getEntityId()),
        owned,
        keepers.of(owned),
        store,
        settings);
  }

  /** The node does not own the shard, any more or yet. The caller asks again. */
  private static Behavior<ShardMessage> notHere() {
    return Behaviors.setup(context -> Behaviors.stopped());
  }

  /** Sends a due item of a keeper to its actor, which ends it. */
  private void due(OwnedShard owned, ShardDeadline deadline) {
    actor(deadline.actor()).tell(deadline.message(owned.epoch()));
  }

  private EntityRef<ShardMessage> actor(String name) {
    return sharding.entityRefFor(LockShards.TYPE, name);
  }
}
