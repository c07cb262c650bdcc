package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.typed.ShardingEnvelope;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityContext;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import io.holdfast.config.LockSettings;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.coordination.ShardOwnership;
import io.holdfast.coordination.akka.AkkaCoordination;
import io.holdfast.journal.JournalStore;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.LockMachine;
import java.util.Optional;

/** The locks and leases of a node that runs shards: how their actors are made, and kept. */
final class LockHosting {

  private static final String NAME = "lock";

  static final EntityTypeKey<ShardMessage> TYPE = EntityTypeKey.create(ShardMessage.class, NAME);

  /** The same, for who speaks with locks only. */
  static final EntityTypeKey<LockMessage> LOCK = EntityTypeKey.create(LockMessage.class, NAME);

  private final ClusterSharding sharding;
  private final LockSettings settings;
  private final KeyShards<ShardMessage> shards;
  private final ShardOwnership ownership;
  private final JournalStore store;
  private final Keepers keepers;
  private final Revivals revivals;
  private final LockMachine machine;

  LockHosting(
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
        new Keepers(
            Agenda.of(system), System::nanoTime, settings.shards(), ownership, store, this::due);
    revivals = new Revivals(system, ownership);
    machine = new LockMachine(settings.maxWaiters());
  }

  /** Lets shards run here, as they come. */
  ActorRef<ShardingEnvelope<ShardMessage>> begin() {
    return sharding.init(
        Entity.of(TYPE, this::make)
            .withRole(AkkaCoordination.HOST_ROLE)
            .withMessageExtractor(shards)
            .withStopMessage(ShardMessage.Lifecycle.STOP));
  }

  /** The way to the shards of others, for a member that runs none. */
  static ActorRef<ShardingEnvelope<ShardMessage>> proxy(
      ActorSystem<?> system, KeyShards<ShardMessage> shards) {
    return ClusterSharding.get(system)
        .init(
            Entity.of(TYPE, context -> notHere())
                .withRole(AkkaCoordination.HOST_ROLE)
                .withMessageExtractor(shards));
  }

  Keepers keepers() {
    return keepers;
  }

  private Behavior<ShardMessage> make(EntityContext<ShardMessage> context) {
    String name = context.getEntityId();
    // The epoch is taken here, once: inside the shard, after its lease.
    Optional<OwnedShard> owned = ownership.of(shards.number(name));
    if (owned.isEmpty() || Ids.shard(name).isPresent()) {
      return notHere();
    }
    Runnable whenFailed = () -> revivals.failed(owned.get().shard(), actor(name));
    return Ids.isLease(name)
        ? ShardEntity.lease(lease(context, owned.get()), whenFailed)
        : ShardEntity.lock(lock(context, owned.get()), whenFailed);
  }

  private LockRoutine.Terms lock(EntityContext<ShardMessage> context, OwnedShard owned) {
    return new LockRoutine.Terms(
        new LockKey(context.getEntityId()), owned, keepers.of(owned), store, machine, settings);
  }

  private LeaseRoutine.Terms lease(EntityContext<ShardMessage> context, OwnedShard owned) {
    return new LeaseRoutine.Terms(
        Ids.lease(Ids.persistenceId(context.getEntityId())).orElseThrow(),
        context.getShard(),
        actor(context.getEntityId()),
        owned,
        keepers.of(owned),
        store,
        settings);
  }

  /** The node does not own the shard, any more or yet: whoever asked asks again. */
  private static Behavior<ShardMessage> notHere() {
    return Behaviors.setup(context -> Behaviors.stopped());
  }

  /** What a keeper of this node says is due, its actor ends. */
  private void due(OwnedShard owned, Timed what) {
    actor(what.actor()).tell(what.message(owned.epoch()));
  }

  private EntityRef<ShardMessage> actor(String name) {
    return sharding.entityRefFor(TYPE, name);
  }
}
