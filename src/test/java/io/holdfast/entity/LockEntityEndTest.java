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
import io.holdfast.journal.LockHistory;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.LockState;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a lock's actor in the end, and of what it had on its way. */
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
  void one_that_does_not_stop_is_ended_so_that_its_shard_can_move_on() {
    ActorRef<ShardMessage> slow =
        world.lock(EntityWorld.key(), UsualSettings.locks("stop-within = 1s"));
    acquired(world.tell(slow, acquire("anna", 10_000, 0)));
    world.store.hold(); // the log does not answer any more
    var unanswered = world.tell(slow, acquire("anna", 10_000, 0));
    var release = world.tell(slow, release("r1", new FencingToken(1)));
    slow.tell(ShardMessage.Lifecycle.STOP);
    world.kit.createTestProbe().expectTerminated(slow, WITHIN);
    assertEquals(1, world.failures.get(), "a next one has to learn what became of its write");
    release.expectNoMessage(Duration.ZERO);
    unanswered.receiveMessage();
    world.store.letGo();
  }

  @Test
  void what_an_actor_had_on_its_way_when_it_was_ended_is_kept_by_the_next_one() {
    LockKey other = EntityWorld.key();
    ActorRef<ShardMessage> slow = world.lock(other, UsualSettings.locks("stop-within = 1s"));
    tell(release("none", new FencingToken(1))); // the other one has recovered
    world.tell(slow, new LockCommand.Cancel(EntityWorld.request("x").id())).receiveMessage();
    world.store.hold();
    world.tell(slow, acquire("anna", 1_000, 0));
    slow.tell(ShardMessage.Lifecycle.STOP);
    world.kit.createTestProbe().expectTerminated(slow, WITHIN);
    assertEquals(0, world.keeper.size(), "nobody could tell");
    world.store.letGo();
    lock = world.lock(other);
    eventually("the grant is kept", WITHIN, () -> world.keeper.size(), kept -> kept == 1);
    assertEquals(1, pass(1_000));
  }

  @Test
  void a_free_lock_that_is_told_to_stop_leaves_nothing_behind() {
    FencingToken anna = acquired(tell(acquire("anna", 10_000, 0)));
    tell(release("r1", anna)).receiveMessage();
    world.stop(lock);
    assertEquals(OptionalLong.empty(), highest());
    assertEquals(List.of(), world.store.version().liveKeys(GatedStore.SHARD, "", 10));
    assertEquals(0, world.failures.get());
  }

  @Test
  void a_held_lock_leaves_memory_too_and_is_kept() {
    LockKey held = EntityWorld.key();
    lock = world.lock(held);
    FencingToken anna = acquired(tell(acquire("anna", 10_000, 0)));
    world.stop(lock);
    lock = world.lock(held);
    pass(10_000); // told to the next actor
    assertEquals(
        new Outcome.Refused(new Refusal.NotHolder(anna, null)), outcome(release("late", anna)));
  }

  @Test
  void a_waiter_is_told_by_the_actor_that_grants_also_if_another_one_queued_it() {
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
  void an_entity_made_under_an_old_epoch_is_refused_and_stops() {
    FencingToken anna = acquired(tell(acquire("anna", 10_000, 0)));
    world.store.takeOver();
    TestProbe<LockAnswer> bert = tell(acquire("bert", 10_000, 60_000));
    bert.expectTerminated(lock);
    bert.expectNoMessage(Duration.ZERO);
    assertEquals(1, world.failures.get(), "and says so");
    lock = world.lock(key);
    assertEquals(anna, acquired(tell(acquire("anna", 10_000, 0))));
    assertEquals(0, state().waiters().size(), "what was refused never was");
  }

  @Test
  void a_grant_that_was_released_by_the_next_owner_is_not_told_to_stand_by_the_one_before() {
    FencingToken token = acquired(tell(acquire("anna", 10_000, 0)));
    ActorRef<ShardMessage> old = lock;
    world.store.takeOver();
    lock = world.lock(key);
    assertInstanceOf(Outcome.Released.class, outcome(release("r1", token)));
    lock = old; // which is sure to be the owner, and has heard of nothing
    TestProbe<LockAnswer> again = tell(acquire("anna", 10_000, 0));
    tell(release("r2", token)); // for this it has to write, and finds out
    again.expectTerminated(old);
    again.expectNoMessage(Duration.ZERO);
  }

  @Test
  void a_grant_that_is_released_while_it_is_confirmed_is_not_told_to_stand() {
    FencingToken token = acquired(tell(acquire("anna", 10_000, 0)));
    world.store.holdRounds();
    TestProbe<LockAnswer> again = tell(acquire("anna", 10_000, 0));
    assertInstanceOf(Outcome.Released.class, outcome(release("r1", token)));
    world.store.letRoundsGo();
    again.expectNoMessage(Duration.ZERO);
  }

  @Test
  void a_grant_of_the_next_owner_is_not_told_to_be_none_by_the_one_before() {
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
  void a_lock_that_the_next_owner_let_go_is_not_told_to_be_held_by_the_one_before() {
    FencingToken token = acquired(tell(acquire("anna", 10_000, 0)));
    ActorRef<ShardMessage> old = lock;
    world.store.takeOver();
    lock = world.lock(key);
    tell(release("r1", token)).receiveMessage();
    lock = old;
    hearsNothing(List.of(tell(acquire("bert", 10_000, 0))));
  }

  /** The one before has to write, and finds out; it has answered all before that. */
  private void hearsNothing(List<TestProbe<LockAnswer>> asked) {
    ActorRef<ShardMessage> old = lock;
    tell(acquire("zoe", 10_000, 60_000)).expectTerminated(old);
    asked.forEach(probe -> probe.expectNoMessage(Duration.ZERO));
  }

  @Test
  void an_append_on_its_way_when_the_shard_is_taken_over_is_refused() {
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
  void an_entity_that_cannot_recover_stops_and_says_so() {
    tell(acquire("anna", 10_000, 0)).receiveMessage(); // the other one has recovered
    world.store.failReads(true);
    ActorRef<ShardMessage> other = world.lock(key);
    world.kit.createTestProbe().expectTerminated(other);
    world.store.failReads(false);
    assertEquals(1, world.failures.get());
  }

  @Test
  void an_entity_that_was_asked_to_stop_is_no_failure() {
    acquired(tell(acquire("anna", 10_000, 0)));
    restart();
    assertEquals(OptionalLong.of(1), highest());
    assertEquals(0, world.failures.get());
  }

  private OptionalLong highest() {
    return world.store.version().highestSequenceNr(GatedStore.SHARD, Ids.of(key));
  }

  private LockState state() {
    return LockHistory.read(world.store.version(), GatedStore.SHARD, Ids.of(key));
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
