package io.holdfast.entity;

import static io.holdfast.entity.EntityWorld.acquire;
import static io.holdfast.entity.EntityWorld.acquired;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the ends of grants and waits by their deadlines, and what moves those. */
class LockDeadlinesTest {

  private final EntityWorld world = new EntityWorld();
  private final LockKey key = EntityWorld.key();
  private final ActorRef<ShardMessage> lock = world.lock(key);

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void a_grant_ends_at_its_ttl_and_not_before() {
    FencingToken anna = acquired(tell(acquire("anna", 1_000, 0)));
    TestProbe<LockAnswer> bert = tell(acquire("bert", 60_000, 60_000));
    world.awaitQueue(key, 1);
    assertEquals(0, pass(999));
    assertEquals(1, pass(1));
    assertTrue(acquired(bert).compareTo(anna) > 0);
  }

  @Test
  void a_repeated_answer_about_a_grant_renews_it() {
    FencingToken anna = acquired(tell(acquire("anna", 1_000, 0)));
    pass(499);
    assertEquals(anna, acquired(tell(acquire("anna", 1_000, 0))));
    assertEquals(0, pass(999));
    assertEquals(1, pass(1));
    awaitFree();
  }

  @Test
  void a_keepalive_moves_the_deadline_without_the_actor() {
    FencingToken anna = acquired(tell(acquire("anna", 1_000, 0)));
    pass(499);
    assertTrue(world.keeper.renew(new Renewal.OfGrant(key, anna)).orElseThrow().alive());
    assertEquals(0, pass(999));
    assertEquals(1, pass(1));
  }

  @Test
  void a_hand_over_starts_the_ttl_of_the_new_holder() {
    acquired(tell(acquire("anna", 1_000, 0)));
    TestProbe<LockAnswer> bert = tell(acquire("bert", 500, 60_000));
    world.awaitQueue(key, 1);
    Renewal ofBert = new Renewal.OfRequest(key, EntityWorld.request("bert").id());
    eventually( // the journal may be ahead of the actor
        "the keeper knows bert",
        EntityWorld.WITHIN,
        () -> world.keeper.renew(ofBert).orElseThrow().alive(),
        alive -> alive);
    pass(400); // bert is renewed
    assertTrue(world.keeper.renew(ofBert).orElseThrow().alive());
    pass(400);
    world.keeper.renew(new Renewal.OfRequest(key, EntityWorld.request("bert").id()));
    pass(200);
    acquired(bert);
    assertEquals(0, pass(499));
    assertEquals(1, pass(1));
    awaitFree();
  }

  @Test
  void a_waiter_without_keepalives_is_dropped_after_its_ttl() {
    acquired(tell(acquire("anna", 10_000, 0)));
    TestProbe<LockAnswer> bert = tell(acquire("bert", 500, 60_000));
    world.awaitQueue(key, 1);
    pass(500);
    assertTrue(leftBy(bert, LockCommand.LeaveCause.LEASE_ENDED));
    world.awaitQueue(key, 0);
  }

  @Test
  void a_timed_out_waiter_is_notified_and_leaves_the_queue() {
    acquired(tell(acquire("anna", 10_000, 0)));
    TestProbe<LockAnswer> bert = tell(acquire("bert", 10_000, 200));
    world.awaitQueue(key, 1);
    pass(200);
    assertTrue(leftBy(bert, LockCommand.LeaveCause.TIMED_OUT));
    world.awaitQueue(key, 0);
  }

  private static boolean leftBy(TestProbe<LockAnswer> asker, LockCommand.LeaveCause cause) {
    return asker.receiveMessage().outcome() instanceof Outcome.Refused refused
        && refused.refusal() instanceof Refusal.LeftQueue left
        && left.cause() == cause;
  }

  private void awaitFree() {
    eventually("the lock", EntityWorld.WITHIN, () -> world.state(key), LockState::isFree);
  }

  private int pass(long millis) {
    return world.pass(Duration.ofMillis(millis), lock);
  }

  private TestProbe<LockAnswer> tell(LockCommand command) {
    return world.tell(lock, command);
  }
}
