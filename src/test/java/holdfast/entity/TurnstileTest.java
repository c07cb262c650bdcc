package holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import akka.actor.testkit.typed.javadsl.BehaviorTestKit;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import holdfast.lock.FencingToken;
import holdfast.lock.LockCommand;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who comes in when, and in which order. */
class TurnstileTest {

  private final List<ShardMessage> came = new ArrayList<>();
  private final Turnstile[] turnstile = new Turnstile[1];
  private final BehaviorTestKit<ShardMessage> actor = BehaviorTestKit.create(behavior());

  private Behavior<ShardMessage> behavior() {
    return Behaviors.setup(
        context -> {
          Turnstile made = new Turnstile(() -> context.getSelf().tell(ShardMessage.Lifecycle.NEXT));
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
  void one_too_many_is_dropped() {
    for (int i = 0; i <= Turnstile.MAX_WAITING; i++) {
      actor.run(ShardMessage.Lifecycle.WAKE);
    }
    turnstile[0].open();
    letIn();
    assertEquals(Turnstile.MAX_WAITING, came.size());
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
  void not_too_many_come_in_together() {
    for (int i = 0; i <= Turnstile.MAX_TOGETHER; i++) {
      actor.run(command(i + 1));
    }
    turnstile[0].open();
    letIn();
    assertEquals(2, came.size());
  }

  private static LockMessage command(long token) {
    return new LockMessage.Due(new LockCommand.Expire(new FencingToken(token)));
  }
}
