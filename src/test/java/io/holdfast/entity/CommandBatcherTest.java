package io.holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import akka.actor.testkit.typed.javadsl.BehaviorTestKit;
import akka.actor.testkit.typed.javadsl.TestInbox;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import io.holdfast.id.Epoch;
import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LeaseMessage;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.ShardMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the order and the batches in which messages are handed over. */
class CommandBatcherTest {

  private static final int MAX_WAITING = 200;

  private final List<ShardMessage> came = new ArrayList<>();
  private final CommandBatcher[] batcher = new CommandBatcher[1];
  private final BehaviorTestKit<ShardMessage> actor = BehaviorTestKit.create(behavior());

  private Behavior<ShardMessage> behavior() {
    return Behaviors.setup(
        context -> {
          CommandBatcher made =
              new CommandBatcher(
                  MAX_WAITING, () -> context.getSelf().tell(ShardMessage.Lifecycle.NEXT));
          batcher[0] = made;
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
  void messages_wait_until_it_opens_and_keep_their_order() {
    List<ShardMessage> all = List.of(wake(), wake(), ShardMessage.Lifecycle.WAKE, wake());
    all.forEach(actor::run);
    assertEquals(List.of(), came);
    batcher[0].open();
    letIn();
    assertEquals(all, came);
  }

  @Test
  void a_new_message_waits_behind_the_queued_ones() {
    ShardMessage first = wake();
    ShardMessage second = wake();
    actor.run(first);
    batcher[0].open();
    actor.run(second);
    letIn();
    assertEquals(List.of(first, second), came);
  }

  @Test
  void it_can_close_after_each_message() {
    ShardMessage first = wake();
    ShardMessage second = wake();
    batcher[0].open();
    actor.run(first);
    batcher[0].close();
    actor.run(second);
    letIn();
    assertEquals(List.of(first), came);
    batcher[0].open();
    letIn();
    assertEquals(List.of(first, second), came);
  }

  @Test
  void one_request_too_many_is_refused() {
    fill();
    TestInbox<LockAnswer> caller = TestInbox.create();
    actor.run(release(7, caller.getRef()));
    assertEquals(
        new LockAnswer(
            7,
            new Revision(0),
            new Outcome.Refused(
                new Refusal.LimitReached(Refusal.Limit.WAITING_COMMANDS, MAX_WAITING)),
            /* kept= */ true),
        caller.receiveMessage());
    TestInbox<LeaseAnswer> ofLease = TestInbox.create();
    actor.run(
        new LeaseMessage.Handle(
            new LeaseCommand.Revoke(request(8), /* incarnation= */ Revision.NONE),
            8,
            ofLease.getRef()));
    assertEquals(
        new LeaseAnswer(
            8, new Revision(0), new LeaseOutcome.Refused(LeaseOutcome.Reason.OVERLOADED)),
        ofLease.receiveMessage());
    batcher[0].open();
    letIn();
    assertEquals(MAX_WAITING, came.size());
  }

  @Test
  void a_copy_of_a_queued_or_current_request_is_not_refused() {
    TestInbox<LockAnswer> caller = TestInbox.create();
    batcher[0].open();
    actor.run(release(1, caller.getRef()));
    batcher[0].close();
    actor.run(release(2, caller.getRef()));
    fill();
    actor.run(release(1, caller.getRef()));
    actor.run(release(2, caller.getRef()));
    assertFalse(caller.hasMessages());
    actor.run(release(3, caller.getRef()));
    assertEquals(3, caller.receiveMessage().number());
  }

  private void fill() {
    for (int i = 0; i < MAX_WAITING; i++) {
      actor.run(ShardMessage.Lifecycle.WAKE);
    }
  }

  private static LockMessage release(long number, ActorRef<LockAnswer> caller) {
    return new LockMessage.Handle(
        new LockCommand.Release(request(number), new FencingToken(1), /* all= */ false),
        number,
        /* lowestOpen= */ 0,
        /* tellsPlace= */ false,
        caller);
  }

  private static RequestHeader request(long number) {
    return new RequestHeader(new RequestId.Once(ClientId.NAMELESS, number), 1);
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
    TestInbox<LockAnswer> caller = TestInbox.create();
    LockCommand.Acquire acquire = EntityWorld.acquire("first", 1_000, 60_000);
    actor.run(new LockMessage.Handle(acquire, 1, 0, /* tellsPlace= */ false, caller.getRef()));
    fill();
    LockCommand cancel = new LockCommand.Cancel(acquire.request().id());
    actor.run(new LockMessage.Handle(cancel, 2, 0, /* tellsPlace= */ false, caller.getRef()));
    assertEquals(2, caller.receiveMessage().number());
  }

  @Test
  void queued_commands_are_handed_over_as_one_batch() {
    LockMessage first = command(1);
    LockMessage second = command(2);
    LockMessage third = command(3);
    actor.run(first);
    actor.run(second);
    actor.run(wake());
    actor.run(third);
    batcher[0].open();
    letIn();
    assertEquals(
        List.of(new LockMessage.CommandBatch(List.of(first, second)), wake(), third), came);
  }

  @Test
  void commands_sent_together_are_handed_over_together() {
    LockMessage both = new LockMessage.CommandBatch(List.of(command(1), command(2)));
    batcher[0].open();
    actor.run(both);
    assertEquals(List.of(both), came);
  }

  @Test
  void commands_sent_together_are_queued_one_by_one() {
    TestInbox<LockAnswer> caller = TestInbox.create();
    for (int i = 1; i < MAX_WAITING; i++) {
      actor.run(ShardMessage.Lifecycle.WAKE);
    }
    LockMessage fits = release(1, caller.getRef());
    actor.run(new LockMessage.CommandBatch(List.of(fits, release(2, caller.getRef()))));
    assertEquals(List.of(2L), caller.getAllReceived().stream().map(LockAnswer::number).toList());
    batcher[0].open();
    letIn();
    assertEquals(fits, came.get(came.size() - 1));
  }

  @Test
  void a_batch_is_bounded() {
    for (int i = 0; i <= CommandBatcher.MAX_BATCH; i++) {
      actor.run(command(i + 1));
    }
    batcher[0].open();
    letIn();
    assertEquals(2, came.size());
  }

  private static LockMessage command(long token) {
    return new LockMessage.Due(new LockCommand.Expire(new FencingToken(token)), new Epoch(1));
  }
}
