package holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.persistence.typed.PersistenceId;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import holdfast.coordination.StartTokens;
import holdfast.coordination.TokenSource;
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
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
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

  private final StartTokens tokens = new StartTokens(1);
  private final PersistenceId id = PersistenceId.of("lock", "key-" + KEYS.incrementAndGet());
  private final TestProbe<ClusterSharding.ShardCommand> shard =
      KIT.createTestProbe(ClusterSharding.ShardCommand.class);
  private final TestProbe<LockMessage> door = KIT.createTestProbe(LockMessage.class);

  /** Gives a token only when it may: what comes meanwhile waits behind the decision. */
  private final Semaphore mayDecide = new Semaphore(Integer.MAX_VALUE / 2);

  private final TokenSource slow =
      () -> {
        mayDecide.acquireUninterruptibly();
        return tokens.next();
      };
  private ActorRef<LockMessage> lock = start();

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
    mayDecide.drainPermits();
    TestProbe<Outcome> bert = acquire("bert", 1_000, 60_000); // decided, and then written
    TestProbe<Outcome> again = acquire("anna", 1_000, 0); // the renewal
    TIME.timePasses(Duration.ofSeconds(1)); // and the notice behind it
    mayDecide.release(1_000);
    assertEquals(anna, acquired(again));
    assertEquals(anna, read().holders().get(0).token());
    TIME.timePasses(Duration.ofMillis(999));
    assertEquals(anna, read().holders().get(0).token());
    TIME.timePasses(Duration.ofMillis(1));
    acquired(bert);
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
            slow,
            IDLE_AFTER));
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
