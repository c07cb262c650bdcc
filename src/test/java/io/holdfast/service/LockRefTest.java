package io.holdfast.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.Revision;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.sharding.LockShards;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.Renewal;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Tests locks of a service, on a clock that is moved by the test. */
public class LockRefTest {

  public static final LockKey KEY = new LockKey("key");
  public static final ClientId SERVICE = new ClientId("service");
  public static final FencingToken TOKEN = new FencingToken(5);
  public static final Duration TTL = Duration.ofSeconds(10);
  public static final Duration SURE = Duration.ofMillis(9_800); // less 2 %

  private final ScriptedLocks played = new ScriptedLocks(SERVICE);
  private final Deque<ScriptedLocks.Asked> asked = played.asked;
  private final Deque<ScriptedLocks.Renewed> renewed = played.renewed;
  private final LockClient lockClient = played.lockClient;
  private final LockRef lock = lockClient.lock(KEY);

  @Test
  void a_grant_counts_from_the_sending_of_its_request() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    pass(Duration.ofSeconds(1));
    grant(Outcome.Manner.AT_ONCE);
    LockGrant grant = asking.join().orElseThrow();
    assertEquals(SURE.minusSeconds(1), grant.remaining());
    assertEquals(TOKEN, grant.token());
  }

  @Test
  void a_grant_after_waiting_is_confirmed_by_a_renewal() {
    var asking = lock.lock(TTL, Duration.ofMinutes(1)).toCompletableFuture();
    pass(Duration.ofSeconds(30));
    grant(Outcome.Manner.AFTER_WAITING);
    assertFalse(asking.isDone());
    pass(Duration.ofSeconds(2));
    renewed(true);
    LockGrant grant = asking.join().orElseThrow();
    assertEquals(
        SURE.minusSeconds(2), grant.remaining(), "counted from the sending of the renewal");
  }

  @Test
  void a_repeated_grant_is_confirmed_by_a_renewal() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    grant(Outcome.Manner.REPEATED);
    assertFalse(asking.isDone());
    renewed(true);
    assertTrue(asking.join().isPresent());
  }

  @Test
  void a_grant_that_came_too_late_is_released() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    pass(TTL);
    grant(Outcome.Manner.AT_ONCE);
    renewed(false);
    assertEquals(Optional.empty(), asking.join());
    assertEquals(TOKEN, ((LockCommand.Release) asked.remove().command()).token());
  }

  @Test
  void a_grant_with_a_late_confirmation_is_released() {
    var asking = lock.lock(TTL, TTL).toCompletableFuture();
    grant(Outcome.Manner.AFTER_WAITING);
    pass(TTL);
    renewed(true);
    assertEquals(Optional.empty(), asking.join());
    assertInstanceOf(LockCommand.Release.class, asked.remove().command());
  }

  @Test
  void a_grant_is_renewed_every_third_of_its_ttl() {
    LockGrant grant = granted();
    pass(TTL.dividedBy(3));
    assertEquals(new Renewal.OfGrant(KEY, TOKEN), renewed.peek().renewal());
    pass(Duration.ofSeconds(1));
    renewed(true);
    assertEquals(SURE.minusSeconds(1), grant.remaining());
  }

  @Test
  void an_older_renewal_does_not_move_the_deadline_back() {
    LockGrant grant = granted();
    pass(TTL.dividedBy(3));
    pass(TTL.dividedBy(3));
    ScriptedLocks.Renewed older = renewed.remove();
    renewed(true);
    Duration left = grant.remaining();
    older.answer().complete(alive());
    assertEquals(left, grant.remaining());
  }

  @Test
  void a_grant_without_renewals_is_lost_at_its_deadline() {
    LockGrant grant = granted();
    var lost = grant.lost().toCompletableFuture();
    pass(SURE.minusMillis(1));
    assertTrue(grant.isSurelyHeld());
    assertFalse(lost.isDone());
    pass(Duration.ofMillis(1));
    assertTrue(lost.isDone());
    assertFalse(grant.isSurelyHeld());
    renewed(true); // too late: a listener may have acted on the loss
    assertFalse(grant.isSurelyHeld());
  }

  @Test
  void a_check_after_the_deadline_shows_the_loss_without_timers() {
    LockGrant grant = granted();
    played.advance(SURE.toNanos());
    assertFalse(grant.isSurelyHeld());
    assertEquals(Duration.ZERO, grant.remaining());
  }

  @Test
  void a_grant_past_its_deadline_is_not_held_again_by_a_late_answer() {
    LockGrant grant = granted();
    Duration third = TTL.dividedBy(3);
    pass(third);
    played.advance(SURE.minus(third).toNanos());
    assertFalse(grant.isSurelyHeld());
    renewed(true); // before the timer of the deadline
    assertFalse(grant.isSurelyHeld(), "D8");
  }

  @Test
  void a_grant_that_its_keeper_reports_ended_is_lost_at_once() {
    LockGrant grant = granted();
    pass(TTL.dividedBy(3));
    renewed(false);
    assertTrue(grant.lost().toCompletableFuture().isDone());
    assertFalse(grant.isSurelyHeld());
  }

  @Test
  void an_unlocked_grant_is_neither_lost_nor_renewed() {
    LockGrant grant = granted();
    var unlocked = grant.unlock().toCompletableFuture();
    assertFalse(grant.isSurelyHeld());
    answer(new Outcome.Released(TOKEN, 0, false));
    assertTrue(unlocked.join());
    pass(TTL);
    assertFalse(grant.lost().toCompletableFuture().isDone());
    assertTrue(renewed.isEmpty());
  }

  @Test
  void an_unlock_of_an_ended_grant_returns_false() {
    var unlocked = granted().unlock().toCompletableFuture();
    answer(refused(new Refusal.NotHolder(TOKEN, null)));
    assertFalse(unlocked.join());
  }

  @Test
  void a_lock_held_by_another_is_not_acquired() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    answer(refused(new Refusal.Held(holder())));
    assertEquals(Optional.empty(), asking.join());
  }

  @Test
  void a_request_that_times_out_is_not_granted() {
    var asking = lock.lock(TTL, Duration.ofSeconds(1)).toCompletableFuture();
    RequestId request = ((LockCommand.Acquire) asked.element().command()).request().id();
    answer(
        refused(
            new Refusal.LeftQueue(request, LockCommand.LeaveCause.TIMED_OUT, 1, holder(), false)));
    assertEquals(Optional.empty(), asking.join());
  }

  @Test
  void any_other_refusal_fails_with_its_reason() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    answer(refused(new Refusal.QueueFull(9)));
    CompletionException failure = assertThrows(CompletionException.class, asking::join);
    LockRefused refused = assertInstanceOf(LockRefused.class, failure.getCause());
    assertEquals(new Refusal.QueueFull(9), refused.refusal());
  }

  @Test
  void a_request_without_an_answer_is_cancelled() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    RequestId request = ((LockCommand.Acquire) asked.element().command()).request().id();
    asked.remove().answer().completeExceptionally(new TimeoutException());
    assertThrows(CompletionException.class, asking::join);
    assertEquals(new LockCommand.Cancel(request), asked.remove().command());
  }

  @Test
  void a_request_given_up_by_its_caller_is_cancelled() {
    var asking = lock.lock(TTL, Duration.ofMinutes(1)).toCompletableFuture();
    ScriptedLocks.Asked acquire = asked.remove();
    asking.completeExceptionally(new TimeoutException()); // as orTimeout does
    assertTrue(acquire.nobodyWaits().toCompletableFuture().isDone());
    RequestId request = ((LockCommand.Acquire) acquire.command()).request().id();
    assertEquals(new LockCommand.Cancel(request), asked.remove().command());
    assertTrue(asked.isEmpty());
  }

  @Test
  void a_grant_to_a_caller_that_gave_up_is_released() {
    var asking = lock.lock(TTL, Duration.ofMinutes(1)).toCompletableFuture();
    ScriptedLocks.Asked acquire = asked.remove();
    asking.cancel(false);
    asked.clear(); // the cancel is in flight, and may be lost
    acquire.answer().complete(acquired(Outcome.Manner.AT_ONCE));
    assertEquals(TOKEN, ((LockCommand.Release) asked.remove().command()).token());
    pass(TTL);
    assertTrue(renewed.isEmpty());
  }

  @Test
  void a_grant_given_up_during_its_confirmation_is_released() {
    var asking = lock.lock(TTL, Duration.ofMinutes(1)).toCompletableFuture();
    RequestId request = ((LockCommand.Acquire) asked.element().command()).request().id();
    grant(Outcome.Manner.AFTER_WAITING);
    asking.complete(Optional.empty()); // as completeOnTimeout does
    assertEquals(new LockCommand.Cancel(request), asked.remove().command());
    renewed(true);
    assertEquals(TOKEN, ((LockCommand.Release) asked.remove().command()).token());
    pass(TTL);
    assertTrue(renewed.isEmpty());
  }

  @Test
  void an_answered_request_is_not_cancelled() {
    LockGrant grant = granted();
    assertTrue(asked.isEmpty());
    assertTrue(grant.isSurelyHeld());
    var refused = lock.tryLock(TTL).toCompletableFuture();
    ScriptedLocks.Asked acquire = asked.remove();
    acquire
        .answer()
        .complete(new LockAnswer(0, new Revision(1), refused(new Refusal.Held(holder())), true));
    refused.cancel(false);
    assertTrue(asked.isEmpty());
    assertFalse(acquire.nobodyWaits().toCompletableFuture().isDone());
  }

  @Test
  void a_grant_whose_confirmation_fails_is_released() {
    for (Outcome.Manner manner : List.of(Outcome.Manner.AFTER_WAITING, Outcome.Manner.REPEATED)) {
      var asking = lock.lock(TTL, TTL).toCompletableFuture();
      grant(manner);
      renewed.remove().answer().completeExceptionally(new TimeoutException());
      CompletionException failure = assertThrows(CompletionException.class, asking::join);
      assertInstanceOf(TimeoutException.class, failure.getCause());
      assertEquals(TOKEN, ((LockCommand.Release) asked.remove().command()).token());
      assertTrue(asked.isEmpty());
    }
  }

  @Test
  void each_acquire_is_a_holder_of_its_own() {
    var unused = lock.tryLock(TTL);
    var unusedToo = lock.tryLock(TTL);
    HolderId first = ((LockCommand.Acquire) asked.remove().command()).holder();
    HolderId second = ((LockCommand.Acquire) asked.remove().command()).holder();
    assertEquals(SERVICE, first.client());
    assertFalse(first.equals(second));
  }

  @Test
  void too_many_open_requests_are_refused() {
    for (int open = 0; open < LockClient.MAX_OPEN; open++) {
      var unused = lock.tryLock(TTL);
    }
    var refused = lock.tryLock(TTL).toCompletableFuture();
    CompletionException failure = assertThrows(CompletionException.class, refused::join);
    assertInstanceOf(LockShards.Overloaded.class, failure.getCause());
    grant(Outcome.Manner.AT_ONCE);
    var unused = lock.tryLock(TTL);
    assertEquals(LockClient.MAX_OPEN, asked.size(), "there is room for one more");
  }

  private LockGrant granted() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    grant(Outcome.Manner.AT_ONCE);
    return asking.join().orElseThrow();
  }

  private void grant(Outcome.Manner manner) {
    asked.remove().answer().complete(acquired(manner));
  }

  public static LockAnswer acquired(Outcome.Manner manner) {
    Lifetime life = new Lifetime.Own(new Ttl(TTL.toMillis()));
    return new LockAnswer(0, new Revision(1), new Outcome.Acquired(TOKEN, life, 1, manner), true);
  }

  private void answer(Outcome outcome) {
    asked.remove().answer().complete(new LockAnswer(0, new Revision(1), outcome, true));
  }

  private static Outcome refused(Refusal refusal) {
    return new Outcome.Refused(refusal);
  }

  private void renewed(boolean alive) {
    renewed.remove().answer().complete(alive ? alive() : Renewal.Answer.DEAD);
  }

  private static Renewal.Answer alive() {
    return new Renewal.Answer(true, TTL.toMillis(), TOKEN.value(), 0, new Revision(0));
  }

  private static Holder holder() {
    return new Holder(
        HolderId.of(SERVICE, "other"),
        new RequestHeader(new RequestId.Once(SERVICE, 77), 1),
        new FencingToken(4),
        new Lifetime.Own(new Ttl(100)),
        1,
        Metadata.NONE);
  }

  private void pass(Duration time) {
    played.pass(time);
  }
}
