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
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.keeper.DeadlineKeeper;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LeaseMessage;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests shared leases: their begin, their renewals, and what ends with them. */
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
    assertEquals(
        Optional.of(answer.revision()),
        world.store.version().lease(new LeaseId(id)).map(LeaseLife::incarnation));
    assertEquals(
        new LeaseOutcome.Refused(LeaseOutcome.Reason.EXISTS),
        world.tell(lease, grant("other", 1_000)).outcome());
    assertTrue(
        world.tell(lease, grant("g", 1_000)).outcome() instanceof LeaseOutcome.Granted again
            && again.repeated());
  }

  @Test
  void a_lease_ends_at_its_ttl_unless_it_is_renewed() {
    Revision incarnation = incarnation(world.tell(lease, grant("g", 1_000)));
    world.pass(Duration.ofMillis(900), lease);
    assertEquals(
        new Renewal.Answer(true, 1_000, 0, 0, incarnation),
        world.keeper.renew(new Renewal.OfLease(new LeaseId(id), new Revision(0))).orElseThrow());
    assertEquals(0, world.pass(Duration.ofMillis(999), lease));
    world.store.hold();
    assertEquals(1, world.pass(Duration.ofMillis(1), lease));
    assertEquals(
        Optional.empty(),
        world.keeper.renew(new Renewal.OfLease(new LeaseId(id), new Revision(0))),
        "its end is in flight: no renewal may count");
    world.store.letGo();
    awaitEnd();
    assertFalse(
        world
            .keeper
            .renew(new Renewal.OfLease(new LeaseId(id), new Revision(0)))
            .orElseThrow()
            .alive());
  }

  @Test
  void a_lock_on_an_ended_lease_goes_to_the_next_waiter() {
    Revision incarnation = incarnation(world.tell(lease, grant("g", 10_000)));
    FencingToken anna = acquired(world.tell(lock, acquire("anna", on(id, incarnation, 10_000), 0)));
    TestProbe<LockAnswer> bert =
        world.tell(lock, acquire("bert", 10_000, 60_000), /* tellsPlace= */ true);
    assertTrue(bert.receiveMessage().outcome() instanceof Outcome.Waiting);
    LeaseAnswer revoked = world.tell(lease, new LeaseCommand.Revoke(request("v"), new Revision(0)));
    assertEquals(new LeaseOutcome.Ended(1, false), revoked.outcome());
    assertEquals(
        Optional.empty(), world.store.version().record(GatedStore.SHARD, EntityIds.of(key)));
    world.keeper.orphans(key);
    world.pass(Duration.ZERO, lock);
    assertTrue(acquired(bert).compareTo(anna) > 0);
    assertEquals(
        0, world.pass(DeadlineKeeper.REPEAT_AFTER, lock), "removed, and not reported again");
  }

  @Test
  void the_next_command_removes_holders_on_an_ended_lease() {
    Revision incarnation = incarnation(world.tell(lease, grant("g", 10_000)));
    acquired(world.tell(lock, acquire("anna", on(id, incarnation, 10_000), 0)));
    world.tell(lease, new LeaseCommand.Revoke(request("v"), incarnation));
    acquired(world.tell(lock, acquire("bert", 10_000, 0)));
  }

  @Test
  void an_ended_lease_gets_no_lock() {
    Revision incarnation = incarnation(world.tell(lease, grant("g", 10_000)));
    world.tell(lease, new LeaseCommand.Revoke(request("v"), new Revision(0)));
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
  void a_grant_on_a_lease_that_ends_meanwhile_does_not_commit() {
    Revision incarnation = incarnation(world.tell(lease, grant("g", 10_000)));
    world.tell(lock, new LockCommand.Cancel(request("nobody").id())).receiveMessage();
    world.store.hold();
    TestProbe<LockAnswer> anna = world.tell(lock, acquire("anna", on(id, incarnation, 10_000), 0));
    anna.expectNoMessage(Duration.ofMillis(50));
    world.store.endLease(id, incarnation);
    world.store.letGo();
    anna.expectTerminated(lock);
    anna.expectNoMessage(Duration.ZERO);
    assertEquals(
        Optional.empty(), world.store.version().record(GatedStore.SHARD, EntityIds.of(key)));
  }

  @Test
  void a_waiter_on_an_ended_lease_leaves_the_queue() {
    Revision incarnation = incarnation(world.tell(lease, grant("g", 10_000)));
    FencingToken anna = acquired(world.tell(lock, acquire("anna", 10_000, 0)));
    TestProbe<LockAnswer> bert =
        world.tell(lock, acquire("bert", on(id, incarnation, 10_000), 60_000));
    TestProbe<LockAnswer> carl = world.tell(lock, acquire("carl", 10_000, 60_000));
    bert.expectNoMessage(Duration.ofMillis(50));
    world.tell(lease, new LeaseCommand.Revoke(request("v"), new Revision(0)));
    world.tell(lock, EntityWorld.release("r", anna)).receiveMessage();
    assertTrue(
        bert.receiveMessage().outcome() instanceof Outcome.Refused refused
            && refused.refusal() instanceof Refusal.LeftQueue left
            && left.cause() == LockCommand.LeaveCause.LEASE_ENDED);
    acquired(carl);
  }

  @Test
  void a_lease_granted_again_has_another_incarnation() {
    Revision first = incarnation(world.tell(lease, grant("g", 1_000)));
    world.tell(lease, new LeaseCommand.Revoke(request("v"), first));
    world.stop(lease);
    lease = world.lease(id);
    Revision second = incarnation(world.tell(lease, grant("g2", 1_000)));
    assertTrue(second.compareTo(first) > 0);
    assertEquals(
        new LeaseOutcome.Refused(LeaseOutcome.Reason.NOT_FOUND),
        world.tell(lease, new LeaseCommand.Revoke(request("v2"), first)).outcome());
    assertFalse(
        world.keeper.renew(new Renewal.OfLease(new LeaseId(id), first)).orElseThrow().alive());
  }

  @Test
  void a_former_owner_does_not_deny_a_lease_of_the_next_owner() {
    world.tell(lease, new LeaseCommand.Revoke(request("v"), new Revision(0))); // it has recovered
    ActorRef<ShardMessage> old = lease;
    world.store.takeOver();
    lease = world.lease(id);
    incarnation(world.tell(lease, grant("g", 10_000)));
    TestProbe<LeaseAnswer> asker = world.kit.createTestProbe(LeaseAnswer.class);
    old.tell(
        new LeaseMessage.Handle(
            new LeaseCommand.Revoke(request("v2"), new Revision(0)), 0, asker.getRef()));
    old.tell(new LeaseMessage.Handle(grant("late", 10_000), 0, asker.getRef()));
    asker.expectTerminated(old);
    asker.expectNoMessage(Duration.ZERO);
  }

  @Test
  void a_refusal_has_the_revision_of_the_state_it_reflects() {
    for (int look = 1; look < 10; look++) { // the first look is before the decision
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
    assertEquals(Optional.empty(), world.store.version().lease(new LeaseId(id)));
  }

  private static Revision incarnation(LeaseAnswer answer) {
    if (answer.outcome() instanceof LeaseOutcome.Granted granted) {
      return granted.incarnation();
    }
    throw new AssertionError("not granted: " + answer);
  }
}
