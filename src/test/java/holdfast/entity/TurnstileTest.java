package holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import akka.actor.testkit.typed.javadsl.BehaviorTestKit;
import akka.actor.testkit.typed.javadsl.TestInbox;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import holdfast.lock.LockState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who comes in when, and in which order. */
class TurnstileTest {

  private final List<LockMessage> came = new ArrayList<>();
  private final Turnstile[] turnstile = new Turnstile[1];
  private final BehaviorTestKit<LockMessage> actor = BehaviorTestKit.create(behavior());

  private Behavior<LockMessage> behavior() {
    return Behaviors.setup(
        context -> {
          Turnstile made = new Turnstile(() -> context.getSelf().tell(LockMessage.Next.INSTANCE));
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
    List<LockMessage> all = List.of(read(), read(), LockMessage.Idle.INSTANCE, read());
    all.forEach(actor::run);
    assertEquals(List.of(), came);
    turnstile[0].open();
    letIn();
    assertEquals(all, came);
  }

  @Test
  void who_comes_while_others_wait_waits_behind_them() {
    LockMessage first = read();
    LockMessage second = read();
    actor.run(first);
    turnstile[0].open();
    actor.run(second);
    letIn();
    assertEquals(List.of(first, second), came);
  }

  @Test
  void it_can_close_behind_each() {
    LockMessage first = read();
    LockMessage second = read();
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
      actor.run(LockMessage.Idle.INSTANCE);
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

  private static LockMessage read() {
    TestInbox<LockState> inbox = TestInbox.create();
    return new LockMessage.Read(inbox.getRef());
  }
}
