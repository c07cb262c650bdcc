package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.AskPattern;
import akka.cluster.sharding.typed.ShardingEnvelope;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import io.holdfast.config.LockSettings;
import io.holdfast.coordination.Owners;
import io.holdfast.coordination.ShardOwnership;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.LeaseEnds;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.ToIntFunction;

/** The typed door to the locks and leases of the cluster, wherever each of them runs. */
public final class LockShards implements LockWay, LeaseWay, ShardMap {

  /** Commands to one lock travel together up to so many: with all they may carry, they fit. */
  private static final int MAX_TOGETHER = 16;

  /** What is only for showing is not waited for any longer. */
  private static final Duration LOOK_WITHIN = Duration.ofMillis(500);

  private final ActorSystem<?> system;
  private final ClusterSharding sharding;
  private final ActorRef<ShardingEnvelope<ShardMessage>> region;
  private final KeyShards<ShardMessage> shards;
  private final Owners owners;
  private final Insistence insistence;
  private final LockRequests requests;
  private final ActorRef<KeeperMessage> desk;
  private final ShardKeeping keeping;
  private final Duration answerWithin;
  private final List<IntConsumer> moves = new CopyOnWriteArrayList<>();

  /**
   * Lets this node host locks and leases of the shards that it owns, and opens the door to all of
   * them. The node's journal must be open.
   *
   * @param leaseEnds told whom to tell of the ends of leases, before the first shard can run here
   */
  public static LockShards start(
      ActorSystem<?> system,
      LockSettings settings,
      ShardOwnership ownership,
      Owners owners,
      JournalStore store,
      Consumer<LeaseEnds.Listener> leaseEnds) {
    KeyShards<ShardMessage> shards = new KeyShards<>(settings.shards());
    LockHosting hosting = new LockHosting(system, settings, shards, ownership, store);
    leaseEnds.accept(hosting.keepers());
    LockShards door =
        new LockShards(
            system, settings.answerWithin(), shards, owners, hosting.begin(), hosting.keepers());
    hosting.keepers().begin();
    return door;
  }

  /**
   * Opens the door to the locks and leases of the cluster at a member of it that hosts none.
   *
   * @param shards how many the cluster has
   * @param answerWithin how long a lock's answer is waited for, beyond the time in line
   */
  public static LockShards reach(
      ActorSystem<?> system, int shards, Duration answerWithin, Owners owners) {
    KeyShards<ShardMessage> keys = new KeyShards<>(shards);
    return new LockShards(
        system, answerWithin, keys, owners, LockHosting.proxy(system, keys), ShardKeeping.NONE);
  }

  private LockShards(
      ActorSystem<?> system,
      Duration answerWithin,
      KeyShards<ShardMessage> shards,
      Owners owners,
      ActorRef<ShardingEnvelope<ShardMessage>> region,
      ShardKeeping keeping) {
    this.system = system;
    this.answerWithin = answerWithin;
    this.shards = shards;
    this.owners = owners;
    this.region = region;
    this.keeping = keeping;
    sharding = ClusterSharding.get(system);
    insistence = new Insistence(system, shards.count());
    requests =
        new LockRequests(
            insistence,
            Agenda.of(system),
            System::nanoTime,
            name -> sharding.entityRefFor(LockHosting.TYPE, name),
            shards::number,
            answerWithin);
    desk = KeeperDesk.start(system, keeping, owners, this::shardOf, System::nanoTime);
  }

  /**
   * Has a lock do something. The stage completes when the outcome is final, after waiting in line
   * where that was asked for; it fails with {@link java.util.concurrent.TimeoutException} if no
   * answer came, and then the command may or may not have been done. One whose id its client does
   * not know is cancelled then, and when nobody waits for it: nobody can ask for its outcome.
   */
  @Override
  public CompletionStage<LockAnswer> handle(LockKey key, LockCommand command) {
    return handle(key, command, new CompletableFuture<Void>());
  }

  /**
   * As {@link #handle(LockKey, LockCommand)}, until nobody waits for the answer any more: then the
   * command is not sent again, and what waits in line has the rest of its ttl.
   */
  @Override
  public CompletionStage<LockAnswer> handle(
      LockKey key, LockCommand command, CompletionStage<?> nobodyWaits) {
    return requests.ask(key, command, nobodyWaits);
  }

  /**
   * As {@link #handle(LockKey, LockCommand, CompletionStage)}.
   *
   * @param whenOver runs once, when nothing of it is under way any more: no cancel either
   */
  public CompletionStage<LockAnswer> handle(
      LockKey key, LockCommand command, CompletionStage<?> nobodyWaits, Runnable whenOver) {
    return requests.ask(key, command, nobodyWaits, whenOver);
  }

  /** Has a shared lease do something, as {@link #handle(LockKey, LockCommand)}. */
  @Override
  public CompletionStage<LeaseAnswer> handle(long lease, LeaseCommand command) {
    return requests.ask(lease, command);
  }

  /**
   * Tells a lock to do something, once. Whoever is told may be gone: the answer that does not come
   * is to be asked for again, with the same message.
   */
  public void tell(LockKey key, LockMessage.Handle message) {
    region.tell(new ShardingEnvelope<>(key.value(), message)); // a reference costs more than it
  }

  /** As {@link #tell(LockKey, LockMessage.Handle)}: these in their order, decided together. */
  public void tell(LockKey key, List<LockMessage.Handle> messages) {
    for (int from = 0; from < messages.size(); from += MAX_TOGETHER) {
      int to = Math.min(messages.size(), from + MAX_TOGETHER);
      LockMessage together =
          to - from == 1
              ? messages.get(from)
              : new LockMessage.Together(List.copyOf(messages.subList(from, to)));
      region.tell(new ShardingEnvelope<>(key.value(), together));
    }
  }

  @Override
  public int shards() {
    return shards.count();
  }

  /** More wait for an answer of this node's own than may. Nothing was sent on. */
  public static final class Overloaded extends RuntimeException {
    private static final long serialVersionUID = 1;

    Overloaded(String what) {
      super(what, null, false, false);
    }
  }

  /**
   * Gives a sign of life. The stage fails with {@link java.util.concurrent.TimeoutException} if
   * nobody could say whether it counts: then it must be taken as if it did not; and with {@link
   * Overloaded} if nobody was asked.
   */
  @Override
  public CompletionStage<Renewal.Answer> renew(Renewal renewal) {
    return ask(renewal, answerWithin)
        .thenApply(
            answer -> {
              if (answer.equals(Renewal.Answer.OVERLOADED)) {
                throw new Overloaded("too many signs of life of this node wait for an answer");
              }
              return answer;
            });
  }

  private CompletionStage<Renewal.Answer> ask(Renewal renewal, Duration within) {
    return AskPattern.ask(
        desk, replyTo -> new KeeperMessage.Ask(renewal, replyTo), within, system.scheduler());
  }

  /**
   * How many milliseconds a grant or a lease lives without a sign of life; empty if nobody can say
   * so soon. Only for showing.
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
    return keeping
        .of(shardOf(of))
        .flatMap(keeper -> keeper.renew(new Renewal.Look(of)))
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
  public int shard(LockKey key) {
    return shards.number(key.value());
  }

  @Override
  public int shard(long lease) {
    return shards.number(Ids.entityOfLease(lease));
  }

  /** A shard has come to an owner: what is asked there and has no answer is asked again. */
  public void moved(int shard) {
    insistence.moved(shard);
    desk.tell(new KeeperMessage.Moved(shard));
    moves.forEach(listener -> listener.accept(shard));
  }

  /** Has a listener told of shards that come to owners, on the log's own thread. */
  public void tellMoves(IntConsumer listener) {
    moves.add(listener);
  }

  /** Has the shard run somewhere, if it does not. */
  public void wake(int shard) {
    actor(Ids.entityOfShard(shard)).tell(ShardMessage.Lifecycle.WAKE);
  }

  /** Which shard the history of this id is in, if it is a lock's or a lease's. */
  public static ToIntFunction<String> shardOf(LockSettings settings) {
    KeyShards<ShardMessage> shards = new KeyShards<>(settings.shards());
    return persistenceId -> shards.number(Ids.entity(persistenceId));
  }

  private int shardOf(Renewal renewal) {
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

  /**
   * The lock's own actor, for whoever speaks with it as with any other. What is told to it may be
   * lost, as long as its shard moves.
   */
  public EntityRef<LockMessage> actor(LockKey key) {
    return sharding.entityRefFor(LockHosting.LOCK, key.value());
  }

  private EntityRef<ShardMessage> actor(String name) {
    return sharding.entityRefFor(LockHosting.TYPE, name);
  }
}
