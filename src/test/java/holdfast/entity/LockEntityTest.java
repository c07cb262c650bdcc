package holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.persistence.typed.PersistenceId;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import holdfast.coordination.OwnedShard;
import holdfast.journal.JournalAccess;
import holdfast.journal.LockRecord;
import holdfast.journal.state.Replay;
import holdfast.lock.ClientId;
import holdfast.lock.FencingToken;
import holdfast.lock.HolderId;
import holdfast.lock.LockCommand;
import holdfast.lock.LockMachine;
import holdfast.lock.LockState;
import holdfast.lock.Outcome;
import holdfast.lock.Patience;
import holdfast.lock.Refusal;
import holdfast.lock.RequestId;
import holdfast.lock.Ttl;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The actor around the rules: who is told when, what the timers end, and what recovery restores.
 */
class LockEntityTest {

  private static final Config CONFIG =
      ManualTime.config()
          .withFallback(ConfigFactory.parseString("akka.actor.provider = local"))
          .withFallback(ConfigFactory.load());
  private static final ActorTestKit KIT = ActorTestKit.create(CONFIG);
  private static final ManualTime TIME = ManualTime.get(KIT.system());
  private static final Duration IDLE_AFTER = Duration.ofSeconds(60);
  private static final AtomicLong KEYS = new AtomicLong();

  private static final GatedStore STORE = new GatedStore();

  private final AtomicLong tokens = new AtomicLong();
  private final PersistenceId id = PersistenceId.of("lock", "key-" + KEYS.incrementAndGet());
  private final AtomicInteger failures = new AtomicInteger();
  private boolean hasTokens = true;
  private Duration doubt = Duration.ZERO;
  private final TestProbe<ClusterSharding.ShardCommand> shard =
      KIT.createTestProbe(ClusterSharding.ShardCommand.class);
  private final TestProbe<LockMessage> door = KIT.createTestProbe(LockMessage.class);

  private ActorRef<LockMessage> lock = start();

  @BeforeAll
  static void open() {
    JournalAccess.get(Adapter.toClassic(KIT.system())).open(STORE, name -> GatedStore.SHARD);
  }

  @AfterEach
  void stopLock() {
    KIT.stop(lock);
  }

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @Test
  void a_waiter_is_told_when_the_holder_releases() {
    FencingToken anna = acquired(acquire("anna", 10_000, 0));
    TestProbe<Outcome> bert = acquire("bert", 10_000, 60_000);
    bert.expectNoMessage(Duration.ZERO);
    assertEquals(new Outcome.Released(anna), tell(new LockCommand.Release(anna)).receiveMessage());
    assertTrue(acquired(bert).compareTo(anna) > 0);
  }

  @Test
  void a_grant_ends_at_its_ttl_and_not_before() {
    FencingToken anna = acquired(acquire("anna", 1_000, 0));
    TestProbe<Outcome> bert = acquire("bert", 1_000, 60_000);
    assertEquals(1, read().waiters().size());
    TIME.timePasses(Duration.ofMillis(999));
    assertEquals(anna, read().holders().get(0).token());
    TIME.timePasses(Duration.ofMillis(1));
    assertTrue(acquired(bert).compareTo(anna) > 0);
  }

  @Test
  void to_be_told_of_a_standing_grant_is_a_renewal() {
    FencingToken anna = acquired(acquire("anna", 1_000, 0));
    TIME.timePasses(Duration.ofMillis(900));
    assertEquals(anna, acquired(acquire("anna", 1_000, 0)));
    TIME.timePasses(Duration.ofMillis(999));
    assertEquals(1, read().holders().size());
    TIME.timePasses(Duration.ofMillis(1));
    assertEquals(LockState.FREE, read());
  }

  @Test
  void a_hand_over_starts_the_ttl_of_the_new_holder() {
    acquired(acquire("anna", 1_000, 0));
    TestProbe<Outcome> bert = acquire("bert", 500, 60_000);
    assertEquals(1, read().waiters().size());
    TIME.timePasses(Duration.ofSeconds(1));
    acquired(bert);
    TIME.timePasses(Duration.ofMillis(499));
    assertEquals(1, read().holders().size());
    TIME.timePasses(Duration.ofMillis(1));
    assertEquals(LockState.FREE, read());
  }

  @Test
  void the_end_of_patience_is_told_and_gives_up_the_place() {
    acquired(acquire("anna", 10_000, 0));
    TestProbe<Outcome> bert = acquire("bert", 10_000, 200);
    assertEquals(1, read().waiters().size());
    TIME.timePasses(Duration.ofMillis(200));
    Outcome outcome = bert.receiveMessage();
    assertTrue(
        outcome instanceof Outcome.Refused refused
            && refused.refusal() instanceof Refusal.LeftLine left
            && left.cause() == LockCommand.LeaveCause.TIMED_OUT,
        outcome.toString());
    assertEquals(0, read().waiters().size());
  }

  @Test
  void a_repeated_request_is_answered_where_it_was_asked_last() {
    FencingToken anna = acquired(acquire("anna", 10_000, 0));
    TestProbe<Outcome> first = acquire("bert", 10_000, 60_000);
    TestProbe<Outcome> second = acquire("bert", 10_000, 60_000);
    assertEquals(1, read().waiters().size());
    tell(new LockCommand.Release(anna)).receiveMessage();
    acquired(second);
    first.expectNoMessage(Duration.ZERO);
  }

  @Test
  void a_restart_restores_holder_and_line_and_grants_the_full_ttl_again() {
    FencingToken anna = acquired(acquire("anna", 1_000, 0));
    acquire("bert", 1_000, 60_000);
    LockState before = read();
    assertEquals(1, before.waiters().size());
    TIME.timePasses(Duration.ofMillis(900));
    restart();
    assertEquals(before, read());
    TIME.timePasses(Duration.ofMillis(999));
    assertEquals(anna, read().holders().get(0).token());
    TIME.timePasses(Duration.ofMillis(1));
    assertEquals("bert", read().holders().get(0).id().value());
  }

  @Test
  void a_free_lock_that_nobody_asks_for_leaves_memory() {
    FencingToken anna = acquired(acquire("anna", 10_000, 0));
    tell(new LockCommand.Release(anna)).receiveMessage();
    idle();
  }

  @Test
  void a_request_that_meets_a_lock_on_its_way_out_is_for_the_next_actor() {
    FencingToken anna = acquired(acquire("anna", 10_000, 0));
    tell(new LockCommand.Release(anna)).receiveMessage();
    idle();
    TestProbe<Outcome> bert = acquire("bert", 1_000, 0);
    LockMessage.Handle handle = door.expectMessageClass(LockMessage.Handle.class);
    restart();
    lock.tell(handle);
    acquired(bert);
  }

  @Test
  void a_notice_of_a_ttl_that_was_renewed_meanwhile_ends_nothing() {
    FencingToken anna = acquired(acquire("anna", 1_000, 0));
    STORE.hold();
    TestProbe<Outcome> bert = acquire("bert", 1_000, 60_000); // decided, and being written
    TestProbe<Outcome> again = acquire("anna", 1_000, 0); // the renewal
    TIME.timePasses(Duration.ofSeconds(1)); // and the notice behind it
    STORE.letGo();
    assertEquals(anna, acquired(again));
    assertEquals(anna, read().holders().get(0).token());
    TIME.timePasses(Duration.ofMillis(999));
    assertEquals(anna, read().holders().get(0).token());
    TIME.timePasses(Duration.ofMillis(1));
    acquired(bert);
  }

  @Test
  void any_number_of_requests_may_come_during_a_write() {
    STORE.hold();
    TestProbe<Outcome> anna = acquire("anna", 1_000, 0);
    TestProbe<LockState> readers = KIT.createTestProbe(LockState.class);
    int many = 20_000;
    for (int i = 0; i < many; i++) {
      lock.tell(new LockMessage.Read(readers.getRef()));
    }
    STORE.letGo();
    acquired(anna);
    readers.receiveSeveralMessages(many, Duration.ofSeconds(20));
  }

  @Test
  void a_recovery_under_doubt_gives_everyone_that_much_longer() {
    FencingToken anna = acquired(acquire("anna", 1_000, 0));
    doubt = Duration.ofSeconds(2);
    restart();
    read();
    TIME.timePasses(Duration.ofMillis(2_999));
    assertEquals(anna, read().holders().get(0).token());
    TIME.timePasses(Duration.ofMillis(1));
    assertEquals(LockState.FREE, read());
  }

  @Test
  void without_a_token_nothing_is_granted_and_all_else_goes_on() {
    FencingToken anna = acquired(acquire("anna", 1_000, 0));
    TestProbe<Outcome> bert = acquire("bert", 10_000, 60_000);
    hasTokens = false;
    Outcome refused = new Outcome.Refused(new Refusal.NoToken());
    assertEquals(refused, tell(new LockCommand.Release(anna)).receiveMessage());
    assertEquals(anna, acquired(acquire("anna", 1_000, 0)), "the renewal needs none");
    TIME.timePasses(Duration.ofSeconds(1));
    assertEquals(anna, read().holders().get(0).token(), "nobody can have it");
    hasTokens = true;
    TIME.timePasses(Duration.ofSeconds(1)); // the ttl is told again
    acquired(bert);
  }

  @Test
  void everyone_may_see_what_a_lock_is_and_nothing_of_a_free_one() {
    FencingToken anna = acquired(acquire("anna", 10_000, 0));
    acquire("bert", 10_000, 60_000);
    assertEquals(Optional.of(read()), record());
    tell(new LockCommand.Release(anna)).receiveMessage();
    LockState bert = read();
    assertEquals(Optional.of(bert), record());
    tell(new LockCommand.Release(bert.holders().get(0).token())).receiveMessage();
    assertEquals(Optional.empty(), record());
  }

  @Test
  void a_long_history_is_replaced_by_the_state_and_recovers_from_it() {
    for (int i = 0; i < 3 * FencedLockEvents.STATE_EVERY; i++) {
      tell(new LockCommand.Release(acquired(acquire("anna" + i, 1_000, 0)))).receiveMessage();
      if (i % 7 == 0) {
        restart();
      }
    }
    FencingToken bert = acquired(acquire("bert", 1_000, 0));
    Replay replay = STORE.version().replay(GatedStore.SHARD, id.id(), 1);
    assertTrue(replay.state() != null && replay.events().size() < FencedLockEvents.STATE_EVERY);
    restart();
    assertEquals(bert, read().holders().get(0).token());
    assertEquals(0, failures.get());
  }

  @Test
  void a_free_lock_that_leaves_memory_is_forgotten_and_begins_again() {
    FencingToken anna = acquired(acquire("anna", 10_000, 0));
    tell(new LockCommand.Release(anna)).receiveMessage();
    assertEquals(2, STORE.version().highestSequenceNr(GatedStore.SHARD, id.id()).orElse(0));
    idle();
    assertEquals(
        OptionalLong.empty(), STORE.version().highestSequenceNr(GatedStore.SHARD, id.id()));
    restart();
    assertTrue(acquired(acquire("anna", 10_000, 0)).compareTo(anna) > 0);
    assertEquals(1, STORE.version().highestSequenceNr(GatedStore.SHARD, id.id()).orElse(0));
    assertEquals(0, failures.get());
  }

  @Test
  void a_lock_that_nobody_ever_held_leaves_nothing() {
    idle();
    assertEquals(
        OptionalLong.empty(), STORE.version().highestSequenceNr(GatedStore.SHARD, id.id()));
  }

  @Test
  void an_entity_made_under_an_old_epoch_is_refused_and_stops() {
    FencingToken anna = acquired(acquire("anna", 10_000, 0));
    STORE.takeOver();
    TestProbe<Outcome> bert = acquire("bert", 10_000, 60_000);
    bert.expectTerminated(lock);
    bert.expectNoMessage(Duration.ZERO);
    assertEquals(1, failures.get(), "and says so");
    lock = start();
    assertEquals(anna, read().holders().get(0).token());
    assertEquals(0, read().waiters().size(), "what was refused never was");
    tell(new LockCommand.Release(anna)).receiveMessage();
  }

  @Test
  void an_append_on_its_way_when_the_shard_is_taken_over_is_refused() {
    read();
    STORE.hold();
    TestProbe<Outcome> anna = acquire("anna", 10_000, 0);
    TestProbe<Outcome> behind = acquire("bert", 10_000, 0);
    STORE.takeOver();
    ActorRef<LockMessage> old = lock;
    lock = start();
    TestProbe<Outcome> carl = acquire("carl", 10_000, 0);
    STORE.letGo();
    acquired(carl);
    anna.expectTerminated(old);
    anna.expectNoMessage(Duration.ZERO);
    behind.expectNoMessage(Duration.ZERO);
    assertEquals("carl", read().holders().get(0).id().value());
  }

  @Test
  void an_entity_that_cannot_recover_stops_and_says_so() {
    read(); // the other one has recovered
    STORE.failReads(true);
    ActorRef<LockMessage> other = start();
    KIT.createTestProbe().expectTerminated(other);
    STORE.failReads(false);
    assertEquals(1, failures.get());
  }

  @Test
  void an_entity_that_was_asked_to_stop_is_no_failure() {
    acquired(acquire("anna", 10_000, 0));
    restart();
    assertEquals(0, failures.get());
  }

  private Optional<LockState> record() {
    return STORE
        .version()
        .publicRecord(GatedStore.SHARD, id.id())
        .map(found -> LockRecord.of(found.content()).lock());
  }

  private void idle() {
    read();
    TIME.timePasses(IDLE_AFTER);
    TIME.timePasses(IDLE_AFTER); // the first may have come before the actor counted anew
    shard.expectMessage(new ClusterSharding.Passivate<>(lock));
  }

  @Test
  void a_held_lock_stays_in_memory() {
    acquired(acquire("anna", 86_400_000, 0));
    TIME.timePasses(IDLE_AFTER.multipliedBy(3));
    read();
    shard.expectNoMessage(Duration.ZERO);
  }

  private ActorRef<LockMessage> start() {
    return KIT.spawn(
        LockEntity.create(
            id,
            shard.getRef(),
            door.getRef(),
            new LockMachine(/* maxWaiters= */ 10),
            new Owned(STORE.epoch()),
            IDLE_AFTER,
            failures::incrementAndGet));
  }

  private final class Owned implements OwnedShard {

    private final long epoch;

    Owned(long epoch) {
      this.epoch = epoch;
    }

    @Override
    public int shard() {
      return GatedStore.SHARD;
    }

    @Override
    public long epoch() {
      return epoch;
    }

    @Override
    public boolean isSure() {
      return true;
    }

    @Override
    public Duration doubt() {
      return doubt;
    }

    @Override
    public Optional<FencingToken> nextToken() {
      return hasTokens ? Optional.of(new FencingToken(tokens.incrementAndGet())) : Optional.empty();
    }
  }

  private void restart() {
    TestProbe<Object> watcher = KIT.createTestProbe();
    lock.tell(LockMessage.Stop.INSTANCE);
    watcher.expectTerminated(lock);
    lock = start();
  }

  private TestProbe<Outcome> acquire(String name, long ttl, long patience) {
    return tell(
        new LockCommand.Acquire(
            new RequestId(ClientId.NAMELESS, name),
            new HolderId(ClientId.NAMELESS, name),
            new Ttl(ttl),
            new Patience(patience)));
  }

  private TestProbe<Outcome> tell(LockCommand command) {
    TestProbe<Outcome> asker = KIT.createTestProbe(Outcome.class);
    lock.tell(new LockMessage.Handle(command, asker.getRef()));
    return asker;
  }

  private LockState read() {
    TestProbe<LockState> asker = KIT.createTestProbe(LockState.class);
    lock.tell(new LockMessage.Read(asker.getRef()));
    return asker.receiveMessage();
  }

  private static FencingToken acquired(TestProbe<Outcome> asker) {
    return asker.expectMessageClass(Outcome.Acquired.class).holder().token();
  }
}
