package holdfast.entity;

import akka.actor.typed.ActorSystem;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.persistence.typed.PersistenceId;
import holdfast.config.LockSettings;
import holdfast.coordination.TokenSource;
import holdfast.lock.LockCommand;
import holdfast.lock.LockKey;
import holdfast.lock.LockMachine;
import holdfast.lock.LockState;
import holdfast.lock.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The typed door to the locks of the cluster, wherever each of them runs. */
public final class LockShards {

  private static final EntityTypeKey<LockMessage> TYPE =
      EntityTypeKey.create(LockMessage.class, "lock");

  private final ClusterSharding sharding;
  private final Duration answerWithin;

  private LockShards(ClusterSharding sharding, Duration answerWithin) {
    this.sharding = sharding;
    this.answerWithin = answerWithin;
  }

  /** Lets this node host locks, and opens the door to all of them. */
  public static LockShards start(ActorSystem<?> system, LockSettings settings, TokenSource tokens) {
    ClusterSharding sharding = ClusterSharding.get(system);
    LockMachine machine = new LockMachine(settings.maxWaiters());
    sharding.init(
        Entity.of(
                TYPE,
                context ->
                    LockEntity.create(
                        persistenceId(context.getEntityId()),
                        context.getShard(),
                        sharding.entityRefFor(TYPE, context.getEntityId()),
                        machine,
                        tokens,
                        settings.idleAfter()))
            .withMessageExtractor(new KeyShards<LockMessage>(settings.shards()))
            .withStopMessage(LockMessage.Stop.INSTANCE));
    return new LockShards(sharding, settings.answerWithin());
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
    return lock(key).ask(replyTo -> new LockMessage.Handle(command, replyTo), within);
  }

  /** What a lock is now. */
  public CompletionStage<LockState> read(LockKey key) {
    return lock(key).ask(LockMessage.Read::new, answerWithin);
  }

  /** Akka's own way to join the two would refuse a key with the joining character in it. */
  private static PersistenceId persistenceId(String key) {
    return PersistenceId.ofUniqueId(TYPE.name() + "|" + key);
  }

  private EntityRef<LockMessage> lock(LockKey key) {
    return sharding.entityRefFor(TYPE, key.value());
  }
}
