package io.holdfast.entity;

import static io.holdfast.entity.EntityWorld.acquire;
import static io.holdfast.entity.EntityWorld.acquired;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import io.holdfast.keeper.ShardDeadline;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests reentries, which are renewals with a commit. The holder counts a ttl from it, however long
 * the commit takes.
 */
class ReentryTest {

  private static final int TTL = 1_000;

  private final EntityWorld world = new EntityWorld();
  private final LockKey key = EntityWorld.key();
  private final ActorRef<ShardMessage> lock = world.lock(key);
  private final LockCommand.Acquire first = acquire("anna", TTL, 0);
  private final FencingToken token = acquired(world.tell(lock, first));

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void a_reentry_renews_at_its_receipt_and_at_its_commit() {
    silentFor(900);
    world.store.hold();
    TestProbe<LockAnswer> again = reenter();
    again.expectNoMessage(Duration.ofMillis(50));
    assertEquals(0, pass(600), "due, while it is written");
    world.store.letGo();
    assertEquals(token, acquired(again));
    assertEquals(0, pass(TTL - 1));
    assertInstanceOf(Outcome.Refused.class, outcome(acquire("bert", TTL, 0)));
  }

  @Test
  void a_reentry_that_commits_after_the_ttl_is_not_answered() {
    silentFor(900);
    world.store.hold();
    TestProbe<LockAnswer> again = reenter();
    again.expectNoMessage(Duration.ofMillis(50));
    assertEquals(1, pass(TTL));
    world.store.letGo();
    acquired(world.tell(lock, acquire("bert", TTL, 0)));
    again.expectNoMessage(Duration.ZERO);
  }

  @Test
  void a_reentry_decided_after_the_end_was_due_is_not_answered() {
    List<ShardDeadline> due = world.due(Duration.ofMillis(TTL));
    TestProbe<LockAnswer> again = reenter();
    due.forEach(what -> lock.tell(what.message(world.store.epoch())));
    acquired(world.tell(lock, acquire("bert", TTL, 0)));
    again.expectNoMessage(Duration.ZERO);
  }

  @Test
  void a_reentry_in_one_write_with_the_end_is_not_answered() {
    List<LockMessage> together = new ArrayList<>();
    TestProbe<LockAnswer> again = world.kit.createTestProbe(LockAnswer.class);
    together.add(new LockMessage.Handle(reentry(), 0, 0, false, again.getRef()));
    world.due(Duration.ofMillis(TTL)).stream()
        .filter(EntityWorld::isEnd)
        .forEach(due -> together.add((LockMessage) due.message(world.store.epoch())));
    assertEquals(2, together.size());
    lock.tell(new LockMessage.CommandBatch(together));
    acquired(world.tell(lock, acquire("bert", TTL, 0)));
    again.expectNoMessage(Duration.ZERO);
  }

  @Test
  void a_repeated_reentry_hears_that_its_grant_has_ended() {
    List<ShardDeadline> due = world.due(Duration.ofMillis(TTL));
    reenter();
    due.forEach(what -> lock.tell(what.message(world.store.epoch())));
    Outcome again = outcome(reentry());
    assertEquals(new Outcome.Acquired(token, first.life(), 0, Outcome.Manner.REPEATED), again);
  }

  @Test
  void a_waiter_that_is_due_does_not_get_its_position_again() {
    LockCommand.Acquire patient = acquire("bert", TTL / 2, 60_000);
    TestProbe<LockAnswer> bert = world.tell(lock, patient, /* tellsPlace= */ true);
    assertInstanceOf(Outcome.Waiting.class, bert.receiveMessage().outcome());
    List<ShardDeadline> due = world.due(Duration.ofMillis(TTL / 2));
    TestProbe<LockAnswer> again = world.tell(lock, patient, /* tellsPlace= */ true);
    due.forEach(what -> lock.tell(what.message(world.store.epoch())));
    assertInstanceOf(Outcome.Refused.class, again.receiveMessage().outcome());
  }

  /** A silence so long that it is recorded. */
  private void silentFor(long millis) {
    pass(millis);
    outcome(EntityWorld.release("none", new FencingToken(999)));
  }

  private LockCommand.Acquire reentry() {
    return new LockCommand.Acquire(
        EntityWorld.request("again"),
        first.holder(),
        first.life(),
        first.waitTimeout(),
        /* reenter= */ true,
        Metadata.NONE);
  }

  private TestProbe<LockAnswer> reenter() {
    return world.tell(lock, reentry());
  }

  private int pass(long millis) {
    return world.pass(Duration.ofMillis(millis), lock);
  }

  private Outcome outcome(LockCommand command) {
    return world.tell(lock, command).receiveMessage().outcome();
  }
}
