package io.holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import akka.Done;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.RecipientRef;
import com.typesafe.config.ConfigFactory;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** When a lock that does not answer is asked again. */
class InsistenceTest {

  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ManualTime.config()
              .withFallback(ConfigFactory.parseString("akka.actor.provider = local"))
              .withFallback(ConfigFactory.load()));
  private static final ManualTime TIME = ManualTime.get(KIT.system());

  private static final int SHARD = 3;
  private static final Duration WITHIN = Duration.ofMinutes(1);
  private static final Duration MS = Duration.ofMillis(1);

  private final Insistence insistence = new Insistence(KIT.system(), 8);
  private final TestProbe<ShardMessage> lock = KIT.createTestProbe(ShardMessage.class);
  private final CompletableFuture<Done> nobodyWaits = new CompletableFuture<>();
  private CompletableFuture<LeaseAnswer> answer = new CompletableFuture<>();

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @Test
  void what_has_no_answer_is_asked_again_less_and_less_often() {
    ask(WITHIN);
    for (int ms : List.of(250, 500, 1_000, 1_000, 1_000)) {
      assertAskedAfter(Duration.ofMillis(ms));
    }
  }

  @Test
  void it_is_asked_again_at_once_when_its_shard_has_come_to_another_owner() {
    ask(WITHIN);
    assertAskedAfter(Duration.ofMillis(250));
    assertAskedAfter(Duration.ofMillis(500));
    insistence.moved(SHARD + 1);
    lock.expectNoMessage(Duration.ZERO);
    insistence.moved(SHARD);
    lock.receiveMessage();
    assertAskedAfter(Duration.ofMillis(250)); // the new owner may not have been known here
    assertAskedAfter(Duration.ofMillis(500));
  }

  @Test
  void who_waits_in_line_gives_a_sign_of_life_often_enough() {
    ask(Duration.ofMillis(100));
    assertAskedAfter(Duration.ofMillis(100));
    assertAskedAfter(Duration.ofMillis(100));
  }

  @Test
  void an_answer_ends_it() throws Exception {
    LeaseMessage.Handle asked = ask(WITHIN);
    asked.replyTo().tell(new LeaseAnswer(0, 1, new LeaseOutcome.Ended(0, false)));
    answer.get();
    assertEnded();
  }

  @Test
  void it_ends_when_nobody_waits_any_more() {
    ask(WITHIN);
    nobodyWaits.complete(Done.getInstance());
    assertEnded();
  }

  @Test
  void it_ends_when_its_time_has_passed() {
    ask(WITHIN);
    TIME.timePasses(WITHIN);
    assertInstanceOf(
        TimeoutException.class, assertThrows(ExecutionException.class, answer::get).getCause());
    assertEquals(0, insistence.open());
  }

  @Test
  void a_timer_that_goes_off_before_its_cancel_starts_no_second() {
    TimersInHand timers = new TimersInHand();
    Insistence asking = new Insistence(new Unanswered(), timers, () -> 0, SHARD + 1);
    var unused =
        asking.<LeaseAnswer>ask(
            lock.getRef(),
            SHARD,
            InsistenceTest::question,
            WITHIN,
            new Resending(0),
            new CompletableFuture<Done>());
    Runnable first = timers.set.get(0);
    asking.moved(SHARD);
    first.run(); // on a thread that came too late for the monitor
    assertEquals(1, timers.set.size());
  }

  /** Timers that go off when the test says so. */
  private static final class TimersInHand implements Agenda {
    private final List<Runnable> set = new ArrayList<>();

    @Override
    public void soon(Runnable action) {
      action.run();
    }

    @Override
    public Plan after(Duration delay, Runnable action) {
      set.add(action);
      return () -> set.remove(action);
    }

    @Override
    public void every(Duration pause, Runnable action) {
      throw new UnsupportedOperationException();
    }
  }

  /** Nobody answers. */
  private static final class Unanswered implements Questions {
    @Override
    public <T> CompletionStage<T> ask(
        RecipientRef<ShardMessage> actor,
        Function<ActorRef<T>, ShardMessage> question,
        Duration within) {
      actor.tell(question.apply(new ReplyTo<>(answer -> {})));
      return new CompletableFuture<>();
    }
  }

  private LeaseMessage.Handle ask(Duration mostPause) {
    answer =
        insistence
            .<LeaseAnswer>ask(
                lock.getRef(),
                SHARD,
                InsistenceTest::question,
                WITHIN,
                new Resending(0, mostPause),
                nobodyWaits)
            .toCompletableFuture();
    return (LeaseMessage.Handle) lock.receiveMessage();
  }

  private static ShardMessage question(ActorRef<LeaseAnswer> replyTo) {
    LeaseCommand command = EntityWorld.grant("asked", 10_000);
    return new LeaseMessage.Handle(command, 0, replyTo);
  }

  private void assertAskedAfter(Duration pause) {
    TIME.timePasses(pause.minus(MS));
    lock.expectNoMessage(Duration.ZERO);
    TIME.timePasses(MS);
    lock.receiveMessage();
  }

  private void assertEnded() {
    assertEquals(0, insistence.open());
    insistence.moved(SHARD);
    TIME.timePasses(Duration.ofSeconds(5));
    lock.expectNoMessage(Duration.ZERO);
  }
}
