package io.holdfast.entity;

import static io.holdfast.fixtures.Eventually.eventually;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import com.typesafe.config.ConfigFactory;
import io.holdfast.config.LockSettings;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.fixtures.UsualSettings;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.JournalAccess;
import io.holdfast.journal.LockHistoryReader;
import io.holdfast.keeper.DeadlineKeeper;
import io.holdfast.keeper.ShardDeadline;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.rules.LockMachine;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LeaseMessage;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs actors of one shard on a store in memory, with a keeper whose clock is moved by the test.
 */
public final class EntityWorld {

  static final Duration WITHIN = Duration.ofSeconds(10);

  private static final AtomicLong NAMES = new AtomicLong();

  public final ActorTestKit kit =
      ActorTestKit.create(
          ConfigFactory.parseString("akka.actor.provider = local")
              .withFallback(ConfigFactory.load()));
  public final GatedStore store = new GatedStore();
  final TestProbe<ClusterSharding.ShardCommand> shard =
      kit.createTestProbe(ClusterSharding.ShardCommand.class);
  final TestProbe<ShardMessage> entity = kit.createTestProbe(ShardMessage.class);
  final AtomicInteger failures = new AtomicInteger();
  private final AtomicLong tokens = new AtomicLong();
  private final AtomicLong now = new AtomicLong(1_000_000_000);
  boolean hasTokens = true;
  boolean sure = true;
  public DeadlineKeeper keeper = freshKeeper();

  public EntityWorld() {
    JournalAccess.get(Adapter.toClassic(kit.system())).open(store, name -> GatedStore.SHARD);
  }

  public void close() {
    kit.shutdownTestKit();
  }

  /** Returns a keeper that has loaded an empty journal. */
  DeadlineKeeper freshKeeper() {
    DeadlineKeeper made = new DeadlineKeeper(() -> sure, now::get);
    made.complete();
    return made;
  }

  public static LockKey key() {
    return new LockKey("key-" + NAMES.incrementAndGet());
  }

  public static long leaseId() {
    return NAMES.incrementAndGet();
  }

  /** Returns the shard with this epoch. */
  public OwnedShard owned() {
    return new Owned(store.epoch());
  }

  public ActorRef<ShardMessage> lock(LockKey key) {
    return lock(key, UsualSettings.locks());
  }

  public ActorRef<ShardMessage> lock(LockKey key, LockSettings settings) {
    return lock(key, settings, /* maxWaiters= */ 10);
  }

  ActorRef<ShardMessage> lock(LockKey key, LockSettings settings, int maxWaiters) {
    return kit.spawn(
        ShardEntity.lock(
            new LockLogic.Terms(
                key,
                new Owned(store.epoch()),
                keeper,
                store,
                new LockMachine(maxWaiters),
                settings),
            failures::incrementAndGet));
  }

  public ActorRef<ShardMessage> lease(long id) {
    return lease(id, UsualSettings.locks());
  }

  public ActorRef<ShardMessage> lease(long id, LockSettings settings) {
    return kit.spawn(
        ShardEntity.lease(
            new LeaseLogic.Terms(
                new LeaseId(id),
                shard.getRef(),
                entity.getRef(),
                new Owned(store.epoch()),
                keeper,
                store,
                settings),
            failures::incrementAndGet));
  }

  void stop(ActorRef<ShardMessage> actor) {
    actor.tell(ShardMessage.Lifecycle.STOP);
    kit.createTestProbe().expectTerminated(actor);
  }

  /** Moves the keeper's clock, and sends due items to the actor. Returns the number of ends. */
  int pass(Duration time, ActorRef<ShardMessage> actor) {
    List<ShardDeadline> due = due(time);
    due.forEach(what -> actor.tell(what.message(store.epoch())));
    return (int) due.stream().filter(EntityWorld::isEnd).count();
  }

  /** Moves the keeper's clock. Returns the due items without sending them. */
  public List<ShardDeadline> due(Duration time) {
    now.addAndGet(time.toNanos());
    return keeper.due();
  }

  /** True if the item ends something; an age is only recorded. */
  public static boolean isEnd(ShardDeadline due) {
    return !(due instanceof ShardDeadline.Age);
  }

  /** Returns the state of a lock that the journal has. */
  LockState state(LockKey key) {
    return LockHistoryReader.read(store.version(), GatedStore.SHARD, EntityIds.of(key));
  }

  /** Waits until so many wait for a held lock, in the journal and at the keeper. */
  void awaitQueue(LockKey key, int length) {
    eventually("the queue", WITHIN, () -> state(key).waiters().size(), now -> now == length);
    eventually("deadlines", WITHIN, keeper::size, n -> n == length + 1); // with the holder
  }

  public static RequestHeader request(String name) {
    return new RequestHeader(new RequestId.Named(ClientId.NAMELESS, name), 7);
  }

  public static LockCommand.Acquire acquire(String name, Lifetime life, long patienceMs) {
    return new LockCommand.Acquire(
        request(name),
        HolderId.of(ClientId.NAMELESS, name),
        life,
        new WaitTimeout(patienceMs),
        /* reenter= */ false,
        Metadata.NONE);
  }

  public static LockCommand.Acquire acquire(String name, long ttlMs, long patienceMs) {
    return acquire(name, new Lifetime.Own(new Ttl(ttlMs)), patienceMs);
  }

  public static LockCommand.Release release(String name, FencingToken token) {
    return new LockCommand.Release(request(name), token, /* all= */ false);
  }

  public TestProbe<LockAnswer> tell(ActorRef<ShardMessage> lock, LockCommand command) {
    return tell(lock, command, /* tellsPlace= */ false);
  }

  public TestProbe<LockAnswer> tell(
      ActorRef<ShardMessage> lock, LockCommand command, boolean tellsPlace) {
    TestProbe<LockAnswer> asker = kit.createTestProbe(LockAnswer.class);
    lock.tell(new LockMessage.Handle(command, 0, 0, tellsPlace, asker.getRef()));
    return asker;
  }

  public LeaseAnswer tell(ActorRef<ShardMessage> lease, LeaseCommand command) {
    TestProbe<LeaseAnswer> asker = kit.createTestProbe(LeaseAnswer.class);
    lease.tell(new LeaseMessage.Handle(command, 0, asker.getRef()));
    return asker.receiveMessage();
  }

  public static LeaseCommand.Grant grant(String name, long ttlMs) {
    return new LeaseCommand.Grant(
        request(name), LeaseTerms.of(ttlMs, ClientId.NAMELESS, /* session= */ false));
  }

  public static Lifetime on(long lease, Revision incarnation, long ttlMs) {
    return new Lifetime.Shared(LeaseLife.of(new LeaseId(lease), incarnation), new Ttl(ttlMs));
  }

  public static FencingToken acquired(TestProbe<LockAnswer> asker) {
    Outcome outcome = asker.receiveMessage().outcome();
    if (outcome instanceof Outcome.Acquired acquired) {
      return acquired.token();
    }
    throw new AssertionError("not acquired: " + outcome);
  }

  private final class Owned implements OwnedShard {

    private final Epoch epoch;

    Owned(Epoch epoch) {
      this.epoch = epoch;
    }

    @Override
    public ShardId shard() {
      return GatedStore.SHARD;
    }

    @Override
    public Epoch epoch() {
      return epoch;
    }

    @Override
    public boolean isSure() {
      return sure;
    }

    @Override
    public Duration doubt() {
      return Duration.ZERO;
    }

    @Override
    public Optional<FencingToken> nextToken() {
      return hasTokens ? Optional.of(new FencingToken(tokens.incrementAndGet())) : Optional.empty();
    }
  }
}
