package io.holdfast.entity;

import static io.holdfast.entity.EntityWorld.acquire;
import static io.holdfast.entity.EntityWorld.acquired;
import static io.holdfast.entity.EntityWorld.release;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import io.holdfast.fixtures.UsualSettings;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the end of a lock's actor, and the fate of its writes in flight. */
class LockEntityEndTest {

  private static final Duration WITHIN = Duration.ofSeconds(10);

  private final EntityWorld world = new EntityWorld();
  private final LockKey key = EntityWorld.key();
  private ActorRef<ShardMessage> lock = world.lock(key);

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void an_actor_that_does_not_stop_in_time_is_terminated() {
    ActorRef<ShardMessage> slow =
        world.lock(EntityWorld.key(), UsualSettings.locks("stop-within = 1s"));
    acquired(world.tell(slow, acquire("anna", 10_000, 0)));
    world.store.hold(); // the log stops answering
    var unanswered = world.tell(slow, acquire("anna", 10_000, 0));
    var release = world.tell(slow, release("r1", new FencingToken(1)));
    slow.tell(ShardMessage.Lifecycle.STOP);
    world.kit.createTestProbe().expectTerminated(slow, WITHIN);
    assertEquals(1, world.failures.get(), "a next actor has to learn the result of its write");
    release.expectNoMessage(Duration.ZERO);
    unanswered.receiveMessage();
    world.store.letGo();
  }

  @Test
  void a_write_in_flight_of_a_stopped_actor_is_kept_by_the_next() {
    LockKey other = EntityWorld.key();
    ActorRef<ShardMessage> slow = world.lock(other, UsualSettings.locks("stop-within = 1s"));
    tell(release("none", new FencingToken(1))); // the other one has recovered
    world.tell(slow, new LockCommand.Cancel(EntityWorld.request("x").id())).receiveMessage();
    world.store.hold();
    world.tell(slow, acquire("anna", 1_000, 0));
    slow.tell(ShardMessage.Lifecycle.STOP);
    world.kit.createTestProbe().expectTerminated(slow, WITHIN);
    assertEquals(0, world.keeper.size(), "the result is unknown");
    world.store.letGo();
    lock = world.lock(other);
    eventually("the grant is kept", WITHIN, () -> world.keeper.size(), kept -> kept == 1);
    assertEquals(1, pass(1_000));
  }

  @Test
  void a_free_lock_is_deleted_when_it_stops() {
    FencingToken anna = acquired(tell(acquire("anna", 10_000, 0)));
    tell(release("r1", anna)).receiveMessage();
    world.stop(lock);
    assertEquals(OptionalLong.empty(), highest());
    assertEquals(List.of(), world.store.version().liveIds(GatedStore.SHARD, "", 10));
    assertEquals(0, world.failures.get());
  }

  @Test
  void a_held_lock_leaves_memory_and_stays_held() {
    LockKey held = EntityWorld.key();
    lock = world.lock(held);
    FencingToken anna = acquired(tell(acquire("anna", 10_000, 0)));
    world.stop(lock);
    lock = world.lock(held);
    pass(10_000); // reported to the next actor
    assertEquals(
        new Outcome.Refused(new Refusal.NotHolder(anna, null)), outcome(release("late", anna)));
  }

  @Test
  void a_waiter_is_notified_by_the_next_actor_of_its_lock() {
    LockKey held = EntityWorld.key();
    lock = world.lock(held);
    FencingToken anna = acquired(tell(acquire("anna", 10_000, 0)));
    var bert = tell(acquire("bert", 10_000, 60_000));
    assertEquals(new Outcome.Waiting(EntityWorld.request("carl").id(), 2), waits("carl"));
    world.stop(lock);
    lock = world.lock(held);
    tell(release("r1", anna)).receiveMessage();
    assertTrue(acquired(bert).compareTo(anna) > 0);
  }

  private Outcome waits(String name) {
    return world.tell(lock, acquire(name, 10_000, 60_000), true).receiveMessage().outcome();
  }

  @Test
  void an_actor_with_an_old_epoch_is_refused_and_stops() {
    FencingToken anna = acquired(tell(acquire("anna", 10_000, 0)));
    world.store.takeOver();
    TestProbe<LockAnswer> bert = tell(acquire("bert", 10_000, 60_000));
    bert.expectTerminated(lock);
    bert.expectNoMessage(Duration.ZERO);
    assertEquals(1, world.failures.get(), "and says so");
    lock = world.lock(key);
    assertEquals(anna, acquired(tell(acquire("anna", 10_000, 0))));
    assertEquals(0, state().waiters().size(), "a refused write has no effect");
  }

  @Test
  void a_former_owner_does_not_confirm_a_released_grant() {
    FencingToken token = acquired(tell(acquire("anna", 10_000, 0)));
    ActorRef<ShardMessage> old = lock;
    world.store.takeOver();
    lock = world.lock(key);
    assertInstanceOf(Outcome.Released.class, outcome(release("r1", token)));
    lock = old; // it is sure of its ownership, and has heard of nothing
    TestProbe<LockAnswer> again = tell(acquire("anna", 10_000, 0));
    tell(release("r2", token)); // this needs a write, by which it finds out
    again.expectTerminated(old);
    again.expectNoMessage(Duration.ZERO);
  }

  @Test
  void a_grant_released_during_its_confirmation_is_not_confirmed() {
    FencingToken token = acquired(tell(acquire("anna", 10_000, 0)));
    world.store.holdRounds();
    TestProbe<LockAnswer> again = tell(acquire("anna", 10_000, 0));
    assertInstanceOf(Outcome.Released.class, outcome(release("r1", token)));
    world.store.letRoundsGo();
    again.expectNoMessage(Duration.ZERO);
  }

  @Test
  void a_former_owner_does_not_deny_a_grant_of_the_next_owner() {
    tell(release("r0", new FencingToken(999))).receiveMessage(); // it has recovered
    ActorRef<ShardMessage> old = lock;
    world.store.takeOver();
    lock = world.lock(key);
    FencingToken token = acquired(tell(acquire("anna", 10_000, 0)));
    lock = old;
    List<TestProbe<LockAnswer>> unanswered =
        List.of(
            tell(release("r1", token)),
            tell(new LockCommand.Cancel(new RequestId.Once(ClientId.NAMELESS, 1))),
            tell(new LockCommand.Force(EntityWorld.request("f"), null, "test")));
    hearsNothing(unanswered);
  }

  @Test
  void a_former_owner_does_not_report_a_released_lock_as_held() {
    FencingToken token = acquired(tell(acquire("anna", 10_000, 0)));
    ActorRef<ShardMessage> old = lock;
    world.store.takeOver();
    lock = world.lock(key);
    tell(release("r1", token)).receiveMessage();
    lock = old;
    hearsNothing(List.of(tell(acquire("bert", 10_000, 0))));
  }

  /**
   * Makes the former actor write, by which it finds out. It has answered everything before that.
   */
  private void hearsNothing(List<TestProbe<LockAnswer>> asked) {
    ActorRef<ShardMessage> old = lock;
    tell(acquire("zoe", 10_000, 60_000)).expectTerminated(old);
    asked.forEach(probe -> probe.expectNoMessage(Duration.ZERO));
  }

  @Test
  void an_append_in_flight_at_a_takeover_is_refused() {
    tell(acquire("dora", 10_000, 0)).receiveMessage();
    tell(new LockCommand.Cancel(EntityWorld.request("dora").id())).receiveMessage();
    world.store.hold();
    TestProbe<LockAnswer> anna = tell(acquire("anna", 10_000, 0));
    TestProbe<LockAnswer> behind = tell(acquire("bert", 10_000, 0));
    world.store.takeOver();
    ActorRef<ShardMessage> old = lock;
    lock = world.lock(key);
    TestProbe<LockAnswer> carl = tell(acquire("carl", 10_000, 0));
    world.store.letGo();
    acquired(carl);
    anna.expectTerminated(old);
    anna.expectNoMessage(Duration.ZERO);
    behind.expectNoMessage(Duration.ZERO);
    assertEquals("carl", state().holders().get(0).id().value());
  }

  @Test
  void an_actor_that_cannot_recover_stops_and_reports_it() {
    tell(acquire("anna", 10_000, 0)).receiveMessage(); // the other one has recovered
    world.store.failReads(true);
    ActorRef<ShardMessage> other = world.lock(key);
    world.kit.createTestProbe().expectTerminated(other);
    world.store.failReads(false);
    assertEquals(1, world.failures.get());
  }

  @Test
  void an_actor_that_was_asked_to_stop_has_not_failed() {
    acquired(tell(acquire("anna", 10_000, 0)));
    restart();
    assertEquals(OptionalLong.of(1), highest());
    assertEquals(0, world.failures.get());
  }

  private OptionalLong highest() {
    return world.store.version().highestSequenceNr(GatedStore.SHARD, EntityIds.of(key));
  }

  private LockState state() {
    return world.state(key);
  }

  private int pass(long millis) {
    return world.pass(Duration.ofMillis(millis), lock);
  }

  private void restart() {
    world.stop(lock);
    lock = world.lock(key);
  }

  private TestProbe<LockAnswer> tell(LockCommand command) {
    return world.tell(lock, command);
  }

  private Outcome outcome(LockCommand command) {
    return tell(command).receiveMessage().outcome();
  }
}
