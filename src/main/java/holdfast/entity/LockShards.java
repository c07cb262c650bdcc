package holdfast.entity;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.persistence.typed.PersistenceId;
import holdfast.config.LockSettings;
import holdfast.coordination.ShardOwnership;
import holdfast.lock.LockCommand;
import holdfast.lock.LockKey;
import holdfast.lock.LockMachine;
import holdfast.lock.LockState;
import holdfast.lock.Outcome;
import holdfast.lock.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.ToIntFunction;

/** The typed door to the locks of the cluster, wherever each of them runs. */
public final class LockShards {

  private static final EntityTypeKey<LockMessage> TYPE =
      EntityTypeKey.create(LockMessage.class, "lock");

  private static final String PREFIX = TYPE.name() + "|";

  private final ClusterSharding sharding;
  private final Insistence insistence;
  private final Duration answerWithin;

  private LockShards(ClusterSharding sharding, Insistence insistence, Duration answerWithin) {
    this.sharding = sharding;
    this.insistence = insistence;
    this.answerWithin = answerWithin;
  }

  /**
   * Lets this node host locks of the shards that it owns, and opens the door to all of them. The
   * node's journal must be open.
   */
  public static LockShards start(
      ActorSystem<?> system, LockSettings settings, ShardOwnership ownership) {
    ClusterSharding sharding = ClusterSharding.get(system);
    KeyShards<LockMessage> shards = new KeyShards<>(settings.shards());
    Revivals revivals = new Revivals(system, ownership);
    LockMachine machine = new LockMachine(settings.maxWaiters());
    sharding.init(
        Entity.of(
                TYPE,
                context -> {
                  int shard = shards.number(context.getEntityId());
                  EntityRef<LockMessage> door = sharding.entityRefFor(TYPE, context.getEntityId());
                  // The epoch is taken here, once: inside the shard, after its lease.
                  return ownership
                      .of(shard)
                      .map(
                          owned ->
                              LockEntity.create(
                                  persistenceId(context.getEntityId()),
                                  context.getShard(),
                                  door,
                                  machine,
                                  owned,
                                  settings.idleAfter(),
                                  () -> revivals.failed(shard, door)))
                      .orElseGet(LockShards::notHere);
                })
            .withMessageExtractor(shards)
            .withStopMessage(LockMessage.Stop.INSTANCE));
    return new LockShards(sharding, new Insistence(system), settings.answerWithin());
  }

  /**
   * Has a lock do something. The stage completes when the outcome is final, after waiting in line
   * where that was asked for; it fails with {@link java.util.concurrent.TimeoutException} if no
   * answer came, and then the command may or may not have been done.
   */
  public CompletionStage<Outcome> handle(LockKey key, LockCommand command) {
    Duration within =
        command instanceof LockCommand.Acquire acquire
            ? acquire.patience().toDuration().plus(answerWithin)
            : answerWithin;
    return insistence
        .<Outcome>ask(lock(key), replyTo -> new LockMessage.Handle(command, replyTo), within)
        .thenCompose(
            answer ->
                answer.askedAgain() && isSecondRelease(answer.content())
                    ? CompletableFuture.failedFuture(
                        new TimeoutException("the answer to the release was lost"))
                    : CompletableFuture.completedFuture(answer.content()));
  }

  /** After it was asked twice, nobody knows whether it was the first release that ended it. */
  private static boolean isSecondRelease(Outcome outcome) {
    return outcome instanceof Outcome.Refused refused
        && refused.refusal() instanceof Refusal.NotHolder;
  }

  /** What a lock is now. */
  public CompletionStage<LockState> read(LockKey key) {
    return insistence
        .<LockState>ask(lock(key), LockMessage.Read::new, answerWithin)
        .thenApply(Insistence.Answer::content);
  }

  /** Which shard the history of this id is in, if it is a lock's. */
  public static ToIntFunction<String> shardOf(LockSettings settings) {
    KeyShards<LockMessage> shards = new KeyShards<>(settings.shards());
    return persistenceId -> shards.number(persistenceId.substring(PREFIX.length()));
  }

  /** The node does not own the shard, any more or yet: whoever asked asks again. */
  private static Behavior<LockMessage> notHere() {
    return Behaviors.setup(context -> Behaviors.stopped());
  }

  /** Akka's own way to join the two would refuse a key with the joining character in it. */
  private static PersistenceId persistenceId(String key) {
    return PersistenceId.ofUniqueId(PREFIX + key);
  }

  private EntityRef<LockMessage> lock(LockKey key) {
    return sharding.entityRefFor(TYPE, key.value());
  }
}
