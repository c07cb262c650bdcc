package io.holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import akka.actor.testkit.typed.javadsl.BehaviorTestKit;
import akka.actor.testkit.typed.javadsl.TestInbox;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.Request;
import io.holdfast.lock.RequestId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who comes in when, and in which order. */
class TurnstileTest {

  private static final int MAX_WAITING = 200;

  private final List<ShardMessage> came = new ArrayList<>();
  private final Turnstile[] turnstile = new Turnstile[1];
  private final BehaviorTestKit<ShardMessage> actor = BehaviorTestKit.create(behavior());

  private Behavior<ShardMessage> behavior() {
    return Behaviors.setup(
        context -> {
          Turnstile made =
              new Turnstile(MAX_WAITING, () -> context.getSelf().tell(ShardMessage.Lifecycle.NEXT));
          turnstile[0] = made;
          return Behaviors.intercept(
              () -> made,
              Behaviors.receiveMessage(
                  message -> {
                    came.add(message);
                    return Behaviors.same();
                  }));
        });
  }

  @Test
  void nobody_comes_in_before_it_opens_and_then_all_do_in_order() {
    List<ShardMessage> all = List.of(wake(), wake(), ShardMessage.Lifecycle.WAKE, wake());
    all.forEach(actor::run);
    assertEquals(List.of(), came);
    turnstile[0].open();
    letIn();
    assertEquals(all, came);
  }

  @Test
  void who_comes_while_others_wait_waits_behind_them() {
    ShardMessage first = wake();
    ShardMessage second = wake();
    actor.run(first);
    turnstile[0].open();
    actor.run(second);
    letIn();
    assertEquals(List.of(first, second), came);
  }

  @Test
  void it_can_close_behind_each() {
    ShardMessage first = wake();
    ShardMessage second = wake();
    turnstile[0].open();
    actor.run(first);
    turnstile[0].close();
    actor.run(second);
    letIn();
    assertEquals(List.of(first), came);
    turnstile[0].open();
    letIn();
    assertEquals(List.of(first, second), came);
  }

  @Test
  void one_request_too_many_is_refused() {
    fill();
    TestInbox<LockAnswer> asker = TestInbox.create();
    actor.run(release(7, asker.getRef()));
    assertEquals(
        new LockAnswer(
            7,
            0,
            new Outcome.Refused(
                new Refusal.LimitReached(Refusal.Limit.WAITING_COMMANDS, MAX_WAITING)),
            /* kept= */ true),
        asker.receiveMessage());
    TestInbox<LeaseAnswer> ofLease = TestInbox.create();
    actor.run(
        new LeaseMessage.Handle(
            new LeaseCommand.Revoke(request(8), /* incarnation= */ 0), 8, ofLease.getRef()));
    assertEquals(
        new LeaseAnswer(8, 0, new LeaseOutcome.Refused(LeaseOutcome.Reason.OVERLOADED)),
        ofLease.receiveMessage());
    turnstile[0].open();
    letIn();
    assertEquals(MAX_WAITING, came.size());
  }

  @Test
  void a_request_that_waits_or_is_inside_is_not_refused_when_it_comes_again() {
    TestInbox<LockAnswer> asker = TestInbox.create();
    turnstile[0].open();
    actor.run(release(1, asker.getRef()));
    turnstile[0].close();
    actor.run(release(2, asker.getRef()));
    fill();
    actor.run(release(1, asker.getRef()));
    actor.run(release(2, asker.getRef()));
    assertFalse(asker.hasMessages());
    actor.run(release(3, asker.getRef()));
    assertEquals(3, asker.receiveMessage().number());
  }

  private void fill() {
    for (int i = 0; i < MAX_WAITING; i++) {
      actor.run(ShardMessage.Lifecycle.WAKE);
    }
  }

  private static LockMessage release(long number, ActorRef<LockAnswer> asker) {
    return new LockMessage.Handle(
        new LockCommand.Release(request(number), new FencingToken(1), /* all= */ false),
        number,
        /* lowestOpen= */ 0,
        /* tellsPlace= */ false,
        asker);
  }

  private static Request request(long number) {
    return new Request(new RequestId.Once(ClientId.NAMELESS, number), 1);
  }

  private void letIn() {
    while (actor.selfInbox().hasMessages()) {
      actor.runOne();
    }
  }

  private static ShardMessage wake() {
    return ShardMessage.Lifecycle.WAKE;
  }

  @Test
  void a_cancel_is_not_taken_for_the_request_that_it_cancels() {
    TestInbox<LockAnswer> asker = TestInbox.create();
    LockCommand.Acquire acquire = EntityWorld.acquire("first", 1_000, 60_000);
    actor.run(new LockMessage.Handle(acquire, 1, 0, /* tellsPlace= */ false, asker.getRef()));
    fill();
    LockCommand cancel = new LockCommand.Cancel(acquire.request().id());
    actor.run(new LockMessage.Handle(cancel, 2, 0, /* tellsPlace= */ false, asker.getRef()));
    assertEquals(2, asker.receiveMessage().number());
  }

  @Test
  void commands_that_wait_behind_each_other_come_in_together() {
    LockMessage first = command(1);
    LockMessage second = command(2);
    LockMessage third = command(3);
    actor.run(first);
    actor.run(second);
    actor.run(wake());
    actor.run(third);
    turnstile[0].open();
    letIn();
    assertEquals(List.of(new LockMessage.Together(List.of(first, second)), wake(), third), came);
  }

  @Test
  void those_that_were_sent_together_come_in_together() {
    LockMessage both = new LockMessage.Together(List.of(command(1), command(2)));
    turnstile[0].open();
    actor.run(both);
    assertEquals(List.of(both), came);
  }

  @Test
  void those_that_were_sent_together_wait_one_by_one() {
    TestInbox<LockAnswer> asker = TestInbox.create();
    for (int i = 1; i < MAX_WAITING; i++) {
      actor.run(ShardMessage.Lifecycle.WAKE);
    }
    LockMessage fits = release(1, asker.getRef());
    actor.run(new LockMessage.Together(List.of(fits, release(2, asker.getRef()))));
    assertEquals(List.of(2L), asker.getAllReceived().stream().map(LockAnswer::number).toList());
    turnstile[0].open();
    letIn();
    assertEquals(fits, came.get(came.size() - 1));
  }

  @Test
  void not_too_many_come_in_together() {
    for (int i = 0; i <= Turnstile.MAX_TOGETHER; i++) {
      actor.run(command(i + 1));
    }
    turnstile[0].open();
    letIn();
    assertEquals(2, came.size());
  }

  private static LockMessage command(long token) {
    return new LockMessage.Due(new LockCommand.Expire(new FencingToken(token)), 1);
  }
}
