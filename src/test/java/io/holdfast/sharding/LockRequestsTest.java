package io.holdfast.sharding;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.Done;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.testkit.typed.javadsl.TestProbe;
import com.typesafe.config.ConfigFactory;
import io.holdfast.entity.EntityWorld;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Tests the outcome of a request with several copies in flight. */
class LockRequestsTest {

  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ManualTime.config()
              .withFallback(ConfigFactory.parseString("akka.actor.provider = local"))
              .withFallback(ConfigFactory.load()));
  private static final ManualTime TIME = ManualTime.get(KIT.system());
  private static final LockKey KEY = new LockKey("k");
  private static final Outcome ACQUIRED =
      new Outcome.Acquired(
          new FencingToken(7), new Lifetime.Own(new Ttl(10_000)), 1, Outcome.Manner.AT_ONCE);
  private static final Outcome LOCKED =
      new Outcome.Refused(new Refusal.QueueFull(1)); // any outcome without an event

  private final TestProbe<ShardMessage> lock = KIT.createTestProbe(ShardMessage.class);
  private final LockRequests requests =
      new LockRequests(
          new RetryingAsk(KIT.system(), 1),
          TaskScheduler.of(KIT.system()),
          System::nanoTime,
          key -> lock.getRef(),
          key -> ShardId.of(0),
          Duration.ofMinutes(1));
  private final CompletableFuture<Done> nobodyWaits = new CompletableFuture<>();

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @Test
  void the_answer_to_a_single_copy_is_the_outcome() {
    CompletableFuture<LockAnswer> outcome = ask(EntityWorld.request("r"));
    answer(sent(), LOCKED, /* kept= */ false);
    assertEquals(LOCKED, outcome.join().outcome());
  }

  @Test
  void a_refusal_that_another_copy_may_contradict_is_not_final() {
    CompletableFuture<LockAnswer> outcome = ask(EntityWorld.request("r"));
    LockMessage.Handle first = sent();
    assertFalse(((LockCommand.Acquire) first.command()).repeated());
    TIME.timePasses(Duration.ofMillis(250));
    assertTrue(((LockCommand.Acquire) sent().command()).repeated());
    answer(first, LOCKED, /* kept= */ false);
    LockMessage.Handle third = sent();
    assertTrue(((LockCommand.Acquire) third.command()).repeated());
    assertFalse(outcome.isDone());
    answer(third, ACQUIRED, /* kept= */ true); // the second was granted the lock meanwhile
    assertEquals(ACQUIRED, outcome.join().outcome());
  }

  @Test
  void a_copy_without_a_recorded_outcome_is_retried_later() {
    CompletableFuture<LockAnswer> outcome = ask(EntityWorld.request("r"));
    LockMessage.Handle first = sent();
    TIME.timePasses(Duration.ofMillis(250));
    lock.receiveMessage();
    answer(first, LOCKED, /* kept= */ false);
    answer(sent(), LOCKED, /* kept= */ false);
    lock.expectNoMessage(Duration.ZERO);
    TIME.timePasses(Duration.ofSeconds(1));
    answer(sent(), LOCKED, /* kept= */ true);
    assertEquals(LOCKED, outcome.join().outcome());
  }

  @Test
  void a_recorded_refusal_is_answered_with_the_first_reason() {
    RequestHeader request = EntityWorld.request("r");
    CompletableFuture<LockAnswer> outcome = ask(request);
    LockMessage.Handle first = sent();
    TIME.timePasses(Duration.ofMillis(250));
    lock.receiveMessage(); // decided in the same way, and recorded
    answer(first, LOCKED, /* kept= */ false);
    Outcome kept =
        new Outcome.Refused(
            new Refusal.LeftQueue(
                request.id(), LockCommand.LeaveCause.REFUSED, 0, null, /* repeated= */ true));
    answer(sent(), kept, /* kept= */ true);
    assertEquals(LOCKED, outcome.join().outcome());
  }

  @Test
  void a_request_without_a_recorded_outcome_times_out() {
    RetryingAsk retryingAsk = new RetryingAsk(KIT.system(), 1);
    LockRequests hasty =
        new LockRequests(
            retryingAsk,
            TaskScheduler.of(KIT.system()),
            System::nanoTime,
            key -> lock.getRef(),
            key -> ShardId.of(0),
            Duration.ofNanos(1));
    CompletableFuture<LockAnswer> outcome = ask(hasty, EntityWorld.request("r"), 0);
    LockMessage.Handle first = sent();
    retryingAsk.moved(ShardId.of(0));
    lock.receiveMessage();
    answer(first, LOCKED, /* kept= */ false);
    CompletionException failure = assertThrows(CompletionException.class, outcome::join);
    assertInstanceOf(TimeoutException.class, failure.getCause());
    lock.expectNoMessage(Duration.ZERO);
  }

  @Test
  void a_timed_out_request_does_not_wait_again() {
    CompletableFuture<LockAnswer> outcome = ask(EntityWorld.request("r"), 300);
    LockMessage.Handle first = sent();
    TIME.timePasses(Duration.ofMillis(250));
    lock.receiveMessage();
    RequestId id = first.command().id().orElseThrow();
    Outcome timedOut =
        new Outcome.Refused(
            new Refusal.LeftQueue(id, LockCommand.LeaveCause.TIMED_OUT, 1, null, false));
    answer(first, timedOut, /* kept= */ false);
    LockMessage.Handle last = sent();
    assertFalse(((LockCommand.Acquire) last.command()).waitTimeout().waits());
    answer(last, LOCKED, /* kept= */ true);
    assertEquals(timedOut, outcome.join().outcome());
  }

  @Test
  void an_unanswered_request_without_an_id_is_cancelled() {
    RequestId once = new RequestId.Once(ClientId.NAMELESS, 9);
    CompletableFuture<LockAnswer> outcome = ask(new RequestHeader(once, 1));
    lock.receiveMessage();
    nobodyWaits.complete(Done.getInstance());
    LockMessage.Handle cancel = sent();
    assertEquals(new LockCommand.Cancel(once), cancel.command());
    answer(
        cancel,
        new Outcome.Refused(new Refusal.LimitReached(Refusal.Limit.REQUEST_IDS, 1)),
        /* kept= */ true);
    TIME.timePasses(Duration.ofSeconds(1));
    cancel = sent();
    assertEquals(new LockCommand.Cancel(once), cancel.command());
    answer(cancel, new Outcome.Cancelled(false, null), /* kept= */ true);
    TIME.timePasses(Duration.ofSeconds(5));
    lock.expectNoMessage(Duration.ZERO);
    assertFalse(outcome.isDone());
  }

  @Test
  void a_cancelled_request_is_done_when_its_cancel_is_answered() {
    RequestId once = new RequestId.Once(ClientId.NAMELESS, 10);
    AtomicInteger over = new AtomicInteger();
    var unused = ask(requests, new RequestHeader(once, 1), 0, over::incrementAndGet);
    LockMessage.Handle first = sent();
    nobodyWaits.complete(Done.getInstance());
    LockMessage.Handle cancel = sent();
    answer(
        cancel,
        new Outcome.Refused(new Refusal.LimitReached(Refusal.Limit.REQUEST_IDS, 1)),
        /* kept= */ true);
    answer(first, ACQUIRED, /* kept= */ true);
    TIME.timePasses(Duration.ofSeconds(1));
    cancel = sent();
    assertEquals(0, over.get());
    answer(cancel, new Outcome.Cancelled(false, null), /* kept= */ true);
    eventually("it is over", Duration.ofSeconds(10), over::get, times -> times == 1);
  }

  @Test
  void an_answered_or_repeatable_request_is_done_at_once() {
    for (RequestId id :
        List.of(new RequestId.Once(ClientId.NAMELESS, 11), EntityWorld.request("r").id())) {
      AtomicInteger over = new AtomicInteger();
      CompletableFuture<LockAnswer> outcome =
          ask(requests, new RequestHeader(id, 1), 0, over::incrementAndGet);
      LockMessage.Handle first = sent();
      assertEquals(0, over.get());
      answer(first, ACQUIRED, /* kept= */ true);
      outcome.join();
      eventually("it is over", Duration.ofSeconds(10), over::get, times -> times == 1);
    }
  }

  private CompletableFuture<LockAnswer> ask(RequestHeader request) {
    return ask(request, 0);
  }

  private CompletableFuture<LockAnswer> ask(RequestHeader request, long patienceMs) {
    return ask(requests, request, patienceMs);
  }

  private CompletableFuture<LockAnswer> ask(
      LockRequests by, RequestHeader request, long patienceMs) {
    return ask(by, request, patienceMs, () -> {});
  }

  private CompletableFuture<LockAnswer> ask(
      LockRequests by, RequestHeader request, long patienceMs, Runnable whenOver) {
    LockCommand.Acquire like = EntityWorld.acquire("anna", 10_000, patienceMs);
    return by.ask(
            KEY,
            new LockCommand.Acquire(
                request,
                like.holder(),
                like.life(),
                like.waitTimeout(),
                like.reenter(),
                like.metadata()),
            nobodyWaits,
            whenOver)
        .toCompletableFuture();
  }

  private LockMessage.Handle sent() {
    return (LockMessage.Handle) lock.receiveMessage();
  }

  private static void answer(LockMessage.Handle asked, Outcome outcome, boolean kept) {
    asked.replyTo().tell(new LockAnswer(asked.number(), new Revision(1), outcome, kept));
  }
}
