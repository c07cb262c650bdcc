package io.holdfast.sharding;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.typed.ShardingEnvelope;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import io.holdfast.coordination.akka.AkkaCoordination;
import io.holdfast.coordination.member.Owners;
import io.holdfast.id.LeaseId;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.RenewalMessage;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/** The typed entry point to the locks and leases of the cluster, on any node. */
public final class LockShards implements LockGateway, LeaseGateway, ShardMap {

  private static final String NAME = "lock";

  /** The type of the actors of locks and leases, which the members with shards run. */
  public static final EntityTypeKey<ShardMessage> TYPE =
      EntityTypeKey.create(ShardMessage.class, NAME);

  /** The same type, for senders of lock messages only. */
  private static final EntityTypeKey<LockMessage> LOCK =
      EntityTypeKey.create(LockMessage.class, NAME);

  /**
   * The largest number of commands to one lock in one message. With all their contents they fit.
   */
  private static final int MAX_BATCH = 16;

  /** The timeout for information that is only displayed. */
  private static final Duration LOOK_WITHIN = Duration.ofMillis(500);

  private final ActorSystem<?> system;
  private final ClusterSharding sharding;
  private final ActorRef<ShardingEnvelope<ShardMessage>> region;
  private final KeyShards<ShardMessage> shards;
  private final Owners owners;
  private final RetryingAsk retryingAsk;
  private final LockRequests requests;
  private final ActorRef<RenewalMessage> exchange;
  private final LocalKeepers localKeepers;
  private final Duration answerWithin;
  private final List<Consumer<ShardId>> moves = new CopyOnWriteArrayList<>();

  /**
   * Opens the entry point at a member of the cluster that hosts no locks.
   *
   * @param shards the number of shards of the cluster
   * @param answerWithin the timeout for an answer, beyond the time in the queue
   */
  public static LockShards reach(
      ActorSystem<?> system, int shards, Duration answerWithin, Owners owners) {
    KeyShards<ShardMessage> keys = new KeyShards<>(shards);
    return new LockShards(
        system, answerWithin, keys, owners, proxy(system, keys), LocalKeepers.NONE);
  }

  private static ActorRef<ShardingEnvelope<ShardMessage>> proxy(
      ActorSystem<?> system, KeyShards<ShardMessage> shards) {
    return ClusterSharding.get(system)
        .init(
            Entity.of(TYPE, context -> Behaviors.setup(here -> Behaviors.stopped()))
                .withRole(AkkaCoordination.HOST_ROLE)
                .withMessageExtractor(shards));
  }

  /**
   * Opens the entry point at a member that hosts locks.
   *
   * @param answerWithin the timeout for an answer, beyond the time in the queue
   * @param region the actors of the shards, as this member starts them
   * @param localKeepers the keepers of this member
   */
  public LockShards(
      ActorSystem<?> system,
      Duration answerWithin,
      KeyShards<ShardMessage> shards,
      Owners owners,
      ActorRef<ShardingEnvelope<ShardMessage>> region,
      LocalKeepers localKeepers) {
    this.system = system;
    this.answerWithin = answerWithin;
    this.shards = shards;
    this.owners = owners;
    this.region = region;
    this.localKeepers = localKeepers;
    sharding = ClusterSharding.get(system);
    retryingAsk = new RetryingAsk(system, shards.count());
    requests =
        new LockRequests(
            retryingAsk,
            TaskScheduler.of(system),
            System::nanoTime,
            name -> sharding.entityRefFor(TYPE, name),
            shards::of,
            answerWithin);
    exchange = RenewalExchange.start(system, localKeepers, owners, this::shardOf, System::nanoTime);
  }

  /**
   * Sends a command to a lock. The stage completes with the final outcome, after the wait in the
   * queue if there is one. It fails with {@link java.util.concurrent.TimeoutException} if no answer
   * came: the command may have had its effect or not. A command with an id that its client does not
   * know is cancelled then, and when nobody waits for it, since nobody can ask for its outcome.
   */
  @Override
  public CompletionStage<LockAnswer> handle(LockKey key, LockCommand command) {
    return handle(key, command, new CompletableFuture<Void>());
  }

  /**
   * As {@link #handle(LockKey, LockCommand)}, until nobody waits for the answer: the command is not
   * resent then, and stays in the queue for the rest of its ttl.
   */
  @Override
  public CompletionStage<LockAnswer> handle(
      LockKey key, LockCommand command, CompletionStage<?> nobodyWaits) {
    return requests.ask(key, command, nobodyWaits);
  }

  /**
   * As {@link #handle(LockKey, LockCommand, CompletionStage)}.
   *
   * @param whenDone runs once, when nothing of it is in flight any more, a cancel included
   */
  public CompletionStage<LockAnswer> handle(
      LockKey key, LockCommand command, CompletionStage<?> nobodyWaits, Runnable whenDone) {
    return requests.ask(key, command, nobodyWaits, whenDone);
  }

  /** Sends a command to a shared lease, as {@link #handle(LockKey, LockCommand)}. */
  @Override
  public CompletionStage<LeaseAnswer> handle(LeaseId lease, LeaseCommand command) {
    return requests.ask(lease, command);
  }

  /**
   * Sends a command to a lock, once. The message may be lost: without an answer, the caller sends
   * it again.
   */
  public void tell(LockKey key, LockMessage.Handle message) {
    region.tell(new ShardingEnvelope<>(key.value(), message)); // an entity reference costs more
  }

  /**
   * As {@link #tell(LockKey, LockMessage.Handle)}, for commands that are decided in order and
   * together.
   */
  public void tell(LockKey key, List<LockMessage.Handle> messages) {
    for (int from = 0; from < messages.size(); from += MAX_BATCH) {
      int to = Math.min(messages.size(), from + MAX_BATCH);
      LockMessage batch =
          to - from == 1
              ? messages.get(from)
              : new LockMessage.CommandBatch(List.copyOf(messages.subList(from, to)));
      region.tell(new ShardingEnvelope<>(key.value(), batch));
    }
  }

  @Override
  public int shards() {
    return shards.count();
  }

  /** Thrown when too many requests of this node wait for an answer. Nothing was sent. */
  public static final class Overloaded extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Overloaded(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Sends a renewal. The stage fails with {@link java.util.concurrent.TimeoutException} if no
   * answer came, and the renewal must be assumed to have failed; and with {@link Overloaded} if
   * nothing was sent.
   */
  @Override
  public CompletionStage<Renewal.Answer> renew(Renewal renewal) {
    return ask(renewal, answerWithin)
        .thenApply(
            answer -> {
              if (answer.equals(Renewal.Answer.OVERLOADED)) {
                throw new Overloaded("too many renewals of this node wait for an answer");
              }
              return answer;
            });
  }

  private CompletionStage<Renewal.Answer> ask(Renewal renewal, Duration within) {
    return AskPattern.ask(
        exchange, replyTo -> new RenewalMessage.Ask(renewal, replyTo), within, system.scheduler());
  }

  /**
   * Returns the remaining milliseconds of a grant or a lease; empty if no answer came soon. For
   * display only.
   */
  public CompletionStage<OptionalLong> left(Renewal of) {
    if (owners.of(shardOf(of)).isEmpty()) {
      return CompletableFuture.completedFuture(OptionalLong.empty());
    }
    return ask(new Renewal.Look(of), LOOK_WITHIN)
        .handle((answer, failure) -> answer == null ? OptionalLong.empty() : left(answer));
  }

  @Override
  public OptionalLong leftHere(Renewal of) {
    return localKeepers
        .renew(shardOf(of), new Renewal.Look(of), Duration.ZERO)
        .map(LockShards::left)
        .orElse(OptionalLong.empty());
  }

  private static OptionalLong left(Renewal.Answer answer) {
    return answer.alive() ? OptionalLong.of(answer.ttlMs()) : OptionalLong.empty();
  }

  @Override
  public Owners owners() {
    return owners;
  }

  @Override
  public ShardId shard(LockKey key) {
    return shards.of(key.value());
  }

  @Override
  public ShardId shard(LeaseId lease) {
    return shards.of(EntityIds.entityOfLease(lease));
  }

  /** Resends the open requests of a shard, since it has a new owner. */
  public void moved(ShardId shard) {
    retryingAsk.moved(shard);
    exchange.tell(new RenewalMessage.Moved(shard));
    moves.forEach(listener -> listener.accept(shard));
  }

  /** Adds a listener for new owners of shards, called on the thread of the log. */
  public void tellMoves(Consumer<ShardId> listener) {
    moves.add(listener);
  }

  /** Has the shard started on some node, if it does not run. */
  public void wake(ShardId shard) {
    actor(EntityIds.entityOfShard(shard)).tell(ShardMessage.Lifecycle.WAKE);
  }

  /** Returns the function from the ids of locks and leases in the journal to their shards. */
  public static Function<PersistenceId, ShardId> shardOf(int shardCount) {
    KeyShards<ShardMessage> shards = new KeyShards<>(shardCount);
    return persistenceId -> shards.of(EntityIds.entity(persistenceId));
  }

  private ShardId shardOf(Renewal renewal) {
    if (renewal instanceof Renewal.OfGrant grant) {
      return shard(grant.key());
    } else if (renewal instanceof Renewal.OfRequest request) {
      return shard(request.key());
    } else if (renewal instanceof Renewal.OfLease lease) {
      return shard(lease.id());
    } else if (renewal instanceof Renewal.Look look) {
      return shardOf(look.at());
    }
    throw new AssertionError(renewal);
  }

  /** Returns the actor of a lock. Messages to it may be lost while its shard moves. */
  public EntityRef<LockMessage> actor(LockKey key) {
    return sharding.entityRefFor(LOCK, key.value());
  }

  private EntityRef<ShardMessage> actor(String name) {
    return sharding.entityRefFor(TYPE, name);
  }
}
