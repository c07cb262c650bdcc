package io.holdfast.keeper;

import static io.holdfast.entity.EntityWorld.acquire;
import static io.holdfast.entity.EntityWorld.acquired;
import static io.holdfast.entity.EntityWorld.grant;
import static io.holdfast.entity.EntityWorld.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import io.holdfast.entity.EntityWorld;
import io.holdfast.id.Epoch;
import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
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
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a late notice of a keeper ends nothing: under a later ownership, whose keeper has set
 * new deadlines, or in a later wait of the same request.
 */
class LateNoticeTest {

  private static final int TTL = 1_000;

  private static final List<LockCommand.LeaveCause> WAITS_END =
      List.of(LockCommand.LeaveCause.LEASE_ENDED, LockCommand.LeaveCause.TIMED_OUT);

  private final EntityWorld world = new EntityWorld();
  private int forces;

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void a_notice_of_a_former_owner_ends_no_grant() {
    LockKey key = EntityWorld.key();
    ActorRef<ShardMessage> lock = world.lock(key);
    acquired(world.tell(lock, acquire("anna", TTL, 0)));
    List<ShardDeadline> due = ends();
    lock.tell(due.get(0).message(new Epoch(world.store.epoch().value() - 1)));
    assertInstanceOf(
        Outcome.Refused.class,
        world.tell(lock, acquire("bert", TTL, 0)).receiveMessage().outcome());
    lock.tell(due.get(0).message(world.store.epoch()));
    acquired(world.tell(lock, acquire("carl", TTL, 0)));
  }

  @Test
  void a_notice_of_a_former_owner_ends_no_lease() {
    ActorRef<ShardMessage> lease = world.lease(EntityWorld.leaseId());
    world.tell(lease, grant("g", TTL));
    List<ShardDeadline> due = ends();
    lease.tell(due.get(0).message(new Epoch(world.store.epoch().value() - 1)));
    assertEquals(
        new LeaseOutcome.Ended(0, /* repeated= */ false),
        world.tell(lease, new LeaseCommand.Revoke(request("v"), new Revision(0))).outcome());
  }

  @Test
  void a_notice_of_an_earlier_wait_ends_no_later_wait() {
    LockKey key = EntityWorld.key();
    ActorRef<ShardMessage> lock = world.lock(key);
    acquired(world.tell(lock, acquire("anna", 60_000, 0)));
    TestProbe<LockAnswer> bert = world.tell(lock, once(60_000));
    TestProbe<LockAnswer> carl = world.tell(lock, acquire("carl", 60_000, 60_000), true);
    carl.receiveMessage(); // bert waits first
    List<ShardDeadline> due = ends();
    force(lock);
    acquired(bert);
    force(lock);
    FencingToken held = acquired(carl);
    TestProbe<LockAnswer> again = world.tell(lock, once(60_000), true);
    assertInstanceOf(Outcome.Waiting.class, again.receiveMessage().outcome());
    lock.tell(due.get(0).message(world.store.epoch()));
    world.tell(lock, EntityWorld.release("r", held)).receiveMessage();
    acquired(again);
  }

  @Test
  void two_notices_of_one_wait_end_no_wait_of_the_same_batch() {
    LockKey key = EntityWorld.key();
    ActorRef<ShardMessage> lock = world.lock(key);
    FencingToken anna = acquired(world.tell(lock, acquire("anna", 60_000, 0)));
    TestProbe<LockAnswer> bert = world.tell(lock, once(TTL), true);
    bert.receiveMessage();
    List<ShardDeadline> due = world.due(Duration.ofMillis(TTL));
    assertEquals(2, due.size(), "its ttl and its timeout");
    TestProbe<LockAnswer> again = world.kit.createTestProbe(LockAnswer.class);
    lock.tell(
        new LockMessage.CommandBatch(
            List.of(
                (LockMessage) due.get(0).message(world.store.epoch()),
                new LockMessage.Handle(once(TTL), 0, 0, /* tellsPlace= */ true, again.getRef()),
                (LockMessage) due.get(1).message(world.store.epoch()))));
    assertInstanceOf(Outcome.Waiting.class, again.receiveMessage().outcome());
    for (LockCommand.LeaveCause cause : WAITS_END) {
      var leave = new LockCommand.Leave(once(TTL).request().id(), cause);
      assertFalse(world.keeper.isDue(key, leave), "the new wait has new deadlines");
    }
    assertEquals(2, world.due(Duration.ofMillis(TTL)).size(), "and no more than that");
    world.tell(lock, EntityWorld.release("r", anna)).receiveMessage();
    acquired(again);
  }

  /** Returns a request without a recorded outcome: its repetition is a new request. */
  private static LockCommand.Acquire once(long timeoutMs) {
    return new LockCommand.Acquire(
        new RequestHeader(new RequestId.Once(ClientId.NAMELESS, 7), 7),
        HolderId.of(ClientId.NAMELESS, "bert"),
        new Lifetime.Own(new Ttl(TTL)),
        new WaitTimeout(timeoutMs),
        /* reenter= */ false,
        Metadata.NONE);
  }

  private void force(ActorRef<ShardMessage> lock) {
    world.tell(lock, new LockCommand.Force(request("f" + ++forces), null, "test")).receiveMessage();
  }

  private List<ShardDeadline> ends() {
    List<ShardDeadline> ends =
        world.due(Duration.ofMillis(TTL)).stream().filter(EntityWorld::isEnd).toList();
    assertEquals(1, ends.size());
    return ends;
  }
}
