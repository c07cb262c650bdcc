package io.holdfast.sharding;

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
import io.holdfast.entity.EntityWorld;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LeaseMessage;
import io.holdfast.wire.ReplyTo;
import io.holdfast.wire.ResendSchedule;
import io.holdfast.wire.ShardMessage;
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

/** Tests the copies of a question to a lock that does not answer. */
class RetryingAskTest {

  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ManualTime.config()
              .withFallback(ConfigFactory.parseString("akka.actor.provider = local"))
              .withFallback(ConfigFactory.load()));
  private static final ManualTime TIME = ManualTime.get(KIT.system());

  private static final ShardId SHARD = ShardId.of(3);
  private static final Duration WITHIN = Duration.ofMinutes(1);
  private static final Duration MS = Duration.ofMillis(1);

  private final RetryingAsk retryingAsk = new RetryingAsk(KIT.system(), 8);
  private final TestProbe<ShardMessage> lock = KIT.createTestProbe(ShardMessage.class);
  private final CompletableFuture<Done> nobodyWaits = new CompletableFuture<>();
  private CompletableFuture<LeaseAnswer> answer = new CompletableFuture<>();

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @Test
  void an_unanswered_question_is_resent_with_growing_pauses() {
    ask(WITHIN);
    for (int ms : List.of(250, 500, 1_000, 1_000, 1_000)) {
      assertAskedAfter(Duration.ofMillis(ms));
    }
  }

  @Test
  void a_question_is_resent_at_once_to_a_new_owner() {
    ask(WITHIN);
    assertAskedAfter(Duration.ofMillis(250));
    assertAskedAfter(Duration.ofMillis(500));
    retryingAsk.moved(ShardId.of(SHARD.value() + 1));
    lock.expectNoMessage(Duration.ZERO);
    retryingAsk.moved(SHARD);
    lock.receiveMessage();
    assertAskedAfter(Duration.ofMillis(250)); // this node may not have known the new owner
    assertAskedAfter(Duration.ofMillis(500));
  }

  @Test
  void a_waiting_request_is_resent_within_its_ttl() {
    ask(Duration.ofMillis(100));
    assertAskedAfter(Duration.ofMillis(100));
    assertAskedAfter(Duration.ofMillis(100));
  }

  @Test
  void an_answer_ends_the_copies() throws Exception {
    LeaseMessage.Handle asked = ask(WITHIN);
    asked.replyTo().tell(new LeaseAnswer(0, new Revision(1), new LeaseOutcome.Ended(0, false)));
    answer.get();
    assertEnded();
  }

  @Test
  void the_copies_end_when_nobody_waits() {
    ask(WITHIN);
    nobodyWaits.complete(Done.getInstance());
    assertEnded();
  }

  @Test
  void the_copies_end_at_the_timeout() {
    ask(WITHIN);
    TIME.timePasses(WITHIN);
    assertInstanceOf(
        TimeoutException.class, assertThrows(ExecutionException.class, answer::get).getCause());
    assertEquals(0, retryingAsk.open());
  }

  @Test
  void a_timer_that_fires_before_its_cancel_starts_no_second() {
    TimersInHand timers = new TimersInHand();
    RetryingAsk asking = new RetryingAsk(new Unanswered(), timers, () -> 0, SHARD.value() + 1);
    var unused =
        asking.<LeaseAnswer>ask(
            lock.getRef(),
            SHARD,
            RetryingAskTest::question,
            WITHIN,
            new ResendSchedule(0),
            new CompletableFuture<Done>());
    Runnable first = timers.set.get(0);
    asking.moved(SHARD);
    first.run(); // on a thread that got the monitor too late
    assertEquals(1, timers.set.size());
  }

  /** A scheduler whose timers fire by command of the test. */
  private static final class TimersInHand implements TaskScheduler {
    private final List<Runnable> set = new ArrayList<>();

    @Override
    public void soon(Runnable action) {
      action.run();
    }

    @Override
    public Task after(Duration delay, Runnable action) {
      set.add(action);
      return () -> set.remove(action);
    }

    @Override
    public void every(Duration pause, Runnable action) {
      throw new UnsupportedOperationException();
    }
  }

  /** Never answers. */
  private static final class Unanswered implements ActorAsk {
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
        retryingAsk
            .<LeaseAnswer>ask(
                lock.getRef(),
                SHARD,
                RetryingAskTest::question,
                WITHIN,
                new ResendSchedule(0, mostPause),
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
    assertEquals(0, retryingAsk.open());
    retryingAsk.moved(SHARD);
    TIME.timePasses(Duration.ofSeconds(5));
    lock.expectNoMessage(Duration.ZERO);
  }
}
