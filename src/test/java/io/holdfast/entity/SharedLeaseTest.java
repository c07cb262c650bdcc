package io.holdfast.entity;

import static io.holdfast.entity.EntityWorld.acquire;
import static io.holdfast.entity.EntityWorld.acquired;
import static io.holdfast.entity.EntityWorld.grant;
import static io.holdfast.entity.EntityWorld.on;
import static io.holdfast.entity.EntityWorld.request;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lease that many hang on: what begins it, what keeps it alive, and what ends with it. */
class SharedLeaseTest {

  private final EntityWorld world = new EntityWorld();
  private final LockKey key = EntityWorld.key();
  private final long id = EntityWorld.leaseId();
  private final ActorRef<ShardMessage> lock = world.lock(key);
  private ActorRef<ShardMessage> lease = world.lease(id);

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void its_incarnation_is_the_revision_of_its_grant() {
    LeaseAnswer answer = world.tell(lease, grant("g", 1_000));
    assertEquals(answer.revision(), incarnation(answer));
    assertEquals(OptionalLong.of(answer.revision()), world.store.version().lease(id));
    assertEquals(
        new LeaseOutcome.Refused(LeaseOutcome.Reason.EXISTS),
        world.tell(lease, grant("other", 1_000)).outcome());
    assertTrue(
        world.tell(lease, grant("g", 1_000)).outcome() instanceof LeaseOutcome.Granted again
            && again.repeated());
  }

  @Test
  void it_ends_at_its_ttl_unless_it_is_kept_alive() {
    long incarnation = incarnation(world.tell(lease, grant("g", 1_000)));
    world.pass(Duration.ofMillis(900), lease);
    assertEquals(
        new Renewal.Answer(true, 1_000, 0, 0, incarnation),
        world.keeper.renew(new Renewal.OfLease(id, 0)).orElseThrow());
    assertEquals(0, world.pass(Duration.ofMillis(999), lease));
    world.store.hold();
    assertEquals(1, world.pass(Duration.ofMillis(1), lease));
    assertEquals(
        Optional.empty(),
        world.keeper.renew(new Renewal.OfLease(id, 0)),
        "its end is on its way: nobody may count on a sign of life any more");
    world.store.letGo();
    awaitEnd();
    assertFalse(world.keeper.renew(new Renewal.OfLease(id, 0)).orElseThrow().alive());
  }

  @Test
  void a_lock_on_it_is_free_for_everyone_from_its_end_on_and_goes_to_the_next() {
    long incarnation = incarnation(world.tell(lease, grant("g", 10_000)));
    FencingToken anna = acquired(world.tell(lock, acquire("anna", on(id, incarnation, 10_000), 0)));
    TestProbe<LockAnswer> bert =
        world.tell(lock, acquire("bert", 10_000, 60_000), /* tellsPlace= */ true);
    assertTrue(bert.receiveMessage().outcome() instanceof Outcome.Waiting);
    LeaseAnswer revoked = world.tell(lease, new LeaseCommand.Revoke(request("v"), 0));
    assertEquals(new LeaseOutcome.Ended(1, false), revoked.outcome());
    assertEquals(Optional.empty(), world.store.version().record(GatedStore.SHARD, Ids.of(key)));
    world.keeper.orphans(key);
    world.pass(Duration.ZERO, lock);
    assertTrue(acquired(bert).compareTo(anna) > 0);
    assertEquals(0, world.pass(Keeper.REPEAT_AFTER, lock), "swept, and not told again");
  }

  @Test
  void the_next_command_lets_go_of_what_hung_on_it_too() {
    long incarnation = incarnation(world.tell(lease, grant("g", 10_000)));
    acquired(world.tell(lock, acquire("anna", on(id, incarnation, 10_000), 0)));
    world.tell(lease, new LeaseCommand.Revoke(request("v"), incarnation));
    acquired(world.tell(lock, acquire("bert", 10_000, 0)));
  }

  @Test
  void nobody_is_granted_a_lock_by_a_lease_that_has_ended() {
    long incarnation = incarnation(world.tell(lease, grant("g", 10_000)));
    world.tell(lease, new LeaseCommand.Revoke(request("v"), 0));
    Outcome outcome =
        world
            .tell(lock, acquire("anna", on(id, incarnation, 10_000), 0))
            .receiveMessage()
            .outcome();
    assertTrue(
        outcome instanceof Outcome.Refused refused
            && refused.refusal() instanceof Refusal.LeaseGone,
        outcome::toString);
  }

  @Test
  void a_grant_by_a_lease_that_ends_while_it_is_written_does_not_commit() {
    long incarnation = incarnation(world.tell(lease, grant("g", 10_000)));
    world.tell(lock, new LockCommand.Cancel(request("nobody").id())).receiveMessage();
    world.store.hold();
    TestProbe<LockAnswer> anna = world.tell(lock, acquire("anna", on(id, incarnation, 10_000), 0));
    anna.expectNoMessage(Duration.ofMillis(50));
    world.store.endLease(id, incarnation);
    world.store.letGo();
    anna.expectTerminated(lock);
    anna.expectNoMessage(Duration.ZERO);
    assertEquals(Optional.empty(), world.store.version().record(GatedStore.SHARD, Ids.of(key)));
  }

  @Test
  void a_waiter_on_it_leaves_the_line_with_its_end() {
    long incarnation = incarnation(world.tell(lease, grant("g", 10_000)));
    FencingToken anna = acquired(world.tell(lock, acquire("anna", 10_000, 0)));
    TestProbe<LockAnswer> bert =
        world.tell(lock, acquire("bert", on(id, incarnation, 10_000), 60_000));
    TestProbe<LockAnswer> carl = world.tell(lock, acquire("carl", 10_000, 60_000));
    bert.expectNoMessage(Duration.ofMillis(50));
    world.tell(lease, new LeaseCommand.Revoke(request("v"), 0));
    world.tell(lock, EntityWorld.release("r", anna)).receiveMessage();
    assertTrue(
        bert.receiveMessage().outcome() instanceof Outcome.Refused refused
            && refused.refusal() instanceof Refusal.LeftLine left
            && left.cause() == LockCommand.LeaveCause.LEASE_ENDED);
    acquired(carl);
  }

  @Test
  void a_next_life_has_another_incarnation() {
    long first = incarnation(world.tell(lease, grant("g", 1_000)));
    world.tell(lease, new LeaseCommand.Revoke(request("v"), first));
    world.stop(lease);
    lease = world.lease(id);
    long second = incarnation(world.tell(lease, grant("g2", 1_000)));
    assertTrue(second > first);
    assertEquals(
        new LeaseOutcome.Refused(LeaseOutcome.Reason.NOT_FOUND),
        world.tell(lease, new LeaseCommand.Revoke(request("v2"), first)).outcome());
    assertFalse(world.keeper.renew(new Renewal.OfLease(id, first)).orElseThrow().alive());
  }

  @Test
  void one_that_the_next_owner_granted_is_not_told_to_be_none_by_the_one_before() {
    world.tell(lease, new LeaseCommand.Revoke(request("v"), 0)); // it has recovered
    ActorRef<ShardMessage> old = lease;
    world.store.takeOver();
    lease = world.lease(id);
    incarnation(world.tell(lease, grant("g", 10_000)));
    TestProbe<LeaseAnswer> asker = world.kit.createTestProbe(LeaseAnswer.class);
    old.tell(new LeaseMessage.Handle(new LeaseCommand.Revoke(request("v2"), 0), 0, asker.getRef()));
    old.tell(new LeaseMessage.Handle(grant("late", 10_000), 0, asker.getRef()));
    asker.expectTerminated(old);
    asker.expectNoMessage(Duration.ZERO);
  }

  @Test
  void a_refusal_has_the_revision_of_what_it_speaks_of() {
    for (int look = 1; look < 10; look++) { // the first one is before it is decided
      int number = look;
      long other = EntityWorld.leaseId();
      lease = world.lease(other);
      LeaseAnswer granted = world.tell(lease, grant("g" + other, 10_000));
      world.store.beforeLook(look, () -> world.store.endLease(other, incarnation(granted)));
      LeaseAnswer refused = world.tell(lease, grant("late" + other, 10_000));
      world.store.beforeLook(-1, () -> {});
      assertEquals(new LeaseOutcome.Refused(LeaseOutcome.Reason.EXISTS), refused.outcome());
      assertEquals(granted.revision(), refused.revision(), () -> "it ended before look " + number);
    }
  }

  private void awaitEnd() {
    eventually("the keeper", Duration.ofSeconds(10), () -> world.keeper.size(), now -> now == 0);
    assertEquals(OptionalLong.empty(), world.store.version().lease(id));
  }

  private static long incarnation(LeaseAnswer answer) {
    if (answer.outcome() instanceof LeaseOutcome.Granted granted) {
      return granted.incarnation();
    }
    throw new AssertionError("not granted: " + answer);
  }
}
