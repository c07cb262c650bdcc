package io.holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Life;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.Request;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A lock as a service holds it, by a clock that stands still unless it is told. */
class LockRefTest {

  private static final LockKey KEY = new LockKey("key");
  private static final ClientId SERVICE = new ClientId("service");
  private static final FencingToken TOKEN = new FencingToken(5);
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration SURE = Duration.ofMillis(9_800); // less 2 %

  private final PlayedLocks played = new PlayedLocks(SERVICE);
  private final Deque<PlayedLocks.Asked> asked = played.asked;
  private final Deque<PlayedLocks.Renewed> renewed = played.renewed;
  private final LockDoor door = played.door;
  private final LockRef lock = door.lock(KEY);

  @Test
  void a_grant_counts_from_when_it_was_asked_for() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    pass(Duration.ofSeconds(1));
    grant(Outcome.Manner.AT_ONCE);
    LockGrant grant = asking.join().orElseThrow();
    assertEquals(SURE.minusSeconds(1), grant.remaining());
    assertEquals(TOKEN, grant.token());
  }

  @Test
  void one_that_came_after_waiting_is_confirmed_by_a_renewal() {
    var asking = lock.lock(TTL, Duration.ofMinutes(1)).toCompletableFuture();
    pass(Duration.ofSeconds(30));
    grant(Outcome.Manner.AFTER_WAITING);
    assertFalse(asking.isDone());
    pass(Duration.ofSeconds(2));
    renewed(true);
    LockGrant grant = asking.join().orElseThrow();
    assertEquals(SURE.minusSeconds(2), grant.remaining(), "from when the renewal was sent");
  }

  @Test
  void one_that_was_repeated_is_confirmed_too() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    grant(Outcome.Manner.REPEATED);
    assertFalse(asking.isDone());
    renewed(true);
    assertTrue(asking.join().isPresent());
  }

  @Test
  void one_that_came_too_late_is_nobodys_and_given_back() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    pass(TTL);
    grant(Outcome.Manner.AT_ONCE);
    renewed(false);
    assertEquals(Optional.empty(), asking.join());
    assertEquals(TOKEN, ((LockCommand.Release) asked.remove().command()).token());
  }

  @Test
  void a_confirmation_that_came_too_late_confirms_nothing() {
    var asking = lock.lock(TTL, TTL).toCompletableFuture();
    grant(Outcome.Manner.AFTER_WAITING);
    pass(TTL);
    renewed(true);
    assertEquals(Optional.empty(), asking.join());
    assertInstanceOf(LockCommand.Release.class, asked.remove().command());
  }

  @Test
  void it_is_renewed_at_a_third_of_its_ttl_and_each_renewal_counts_from_its_sending() {
    LockGrant grant = granted();
    pass(TTL.dividedBy(3));
    assertEquals(new Renewal.OfGrant(KEY, TOKEN), renewed.peek().renewal());
    pass(Duration.ofSeconds(1));
    renewed(true);
    assertEquals(SURE.minusSeconds(1), grant.remaining());
  }

  @Test
  void an_older_renewal_does_not_bring_its_deadline_forward() {
    LockGrant grant = granted();
    pass(TTL.dividedBy(3));
    pass(TTL.dividedBy(3));
    PlayedLocks.Renewed older = renewed.remove();
    renewed(true);
    Duration left = grant.remaining();
    older.answer().complete(alive());
    assertEquals(left, grant.remaining());
  }

  @Test
  void without_an_answer_it_is_lost_at_its_deadline_and_not_before() {
    LockGrant grant = granted();
    var lost = grant.lost().toCompletableFuture();
    pass(SURE.minusMillis(1));
    assertTrue(grant.isSurelyHeld());
    assertFalse(lost.isDone());
    pass(Duration.ofMillis(1));
    assertTrue(lost.isDone());
    assertFalse(grant.isSurelyHeld());
    renewed(true); // too late: somebody may have begun to undo
    assertFalse(grant.isSurelyHeld());
  }

  @Test
  void whoever_looks_sees_it_lost_though_nobody_woke() {
    LockGrant grant = granted();
    played.advance(SURE.toNanos());
    assertFalse(grant.isSurelyHeld());
    assertEquals(Duration.ZERO, grant.remaining());
  }

  @Test
  void what_its_keeper_calls_ended_is_lost_at_once() {
    LockGrant grant = granted();
    pass(TTL.dividedBy(3));
    renewed(false);
    assertTrue(grant.lost().toCompletableFuture().isDone());
    assertFalse(grant.isSurelyHeld());
  }

  @Test
  void what_is_unlocked_is_not_lost_and_not_renewed() {
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
  void what_had_ended_before_it_was_unlocked_is_said_to_have() {
    var unlocked = granted().unlock().toCompletableFuture();
    answer(refused(new Refusal.NotHolder(TOKEN, null)));
    assertFalse(unlocked.join());
  }

  @Test
  void a_lock_that_somebody_holds_is_not_had() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    answer(refused(new Refusal.Held(holder())));
    assertEquals(Optional.empty(), asking.join());
  }

  @Test
  void whose_patience_ends_has_nothing() {
    var asking = lock.lock(TTL, Duration.ofSeconds(1)).toCompletableFuture();
    RequestId request = ((LockCommand.Acquire) asked.element().command()).request().id();
    answer(
        refused(
            new Refusal.LeftLine(request, LockCommand.LeaveCause.TIMED_OUT, 1, holder(), false)));
    assertEquals(Optional.empty(), asking.join());
  }

  @Test
  void any_other_refusal_is_a_failure_that_says_why() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    answer(refused(new Refusal.QueueFull(9)));
    CompletionException failure = assertThrows(CompletionException.class, asking::join);
    LockRefused refused = assertInstanceOf(LockRefused.class, failure.getCause());
    assertEquals(new Refusal.QueueFull(9), refused.refusal());
  }

  @Test
  void a_request_that_nobody_answers_is_cancelled() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    RequestId request = ((LockCommand.Acquire) asked.element().command()).request().id();
    asked.remove().answer().completeExceptionally(new TimeoutException());
    assertThrows(CompletionException.class, asking::join);
    assertEquals(new LockCommand.Cancel(request), asked.remove().command());
  }

  @Test
  void a_request_that_its_caller_gave_up_is_asked_no_more_and_cancelled() {
    var asking = lock.lock(TTL, Duration.ofMinutes(1)).toCompletableFuture();
    PlayedLocks.Asked acquire = asked.remove();
    asking.completeExceptionally(new TimeoutException()); // as orTimeout does
    assertTrue(acquire.nobodyWaits().toCompletableFuture().isDone());
    RequestId request = ((LockCommand.Acquire) acquire.command()).request().id();
    assertEquals(new LockCommand.Cancel(request), asked.remove().command());
    assertTrue(asked.isEmpty());
  }

  @Test
  void what_is_granted_to_a_caller_that_gave_up_is_given_back_and_not_kept_alive() {
    var asking = lock.lock(TTL, Duration.ofMinutes(1)).toCompletableFuture();
    PlayedLocks.Asked acquire = asked.remove();
    asking.cancel(false);
    asked.clear(); // the cancelling is on its way, and may be lost
    acquire.answer().complete(acquired(Outcome.Manner.AT_ONCE));
    assertEquals(TOKEN, ((LockCommand.Release) asked.remove().command()).token());
    pass(TTL);
    assertTrue(renewed.isEmpty());
  }

  @Test
  void who_gives_up_while_a_grant_is_confirmed_does_not_hold_it() {
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
  void what_has_its_answer_is_not_cancelled() {
    LockGrant grant = granted();
    assertTrue(asked.isEmpty());
    assertTrue(grant.isSurelyHeld());
    var refused = lock.tryLock(TTL).toCompletableFuture();
    PlayedLocks.Asked acquire = asked.remove();
    acquire.answer().complete(new LockAnswer(0, 1, refused(new Refusal.Held(holder())), true));
    refused.cancel(false);
    assertTrue(asked.isEmpty());
    assertFalse(acquire.nobodyWaits().toCompletableFuture().isDone());
  }

  @Test
  void a_grant_whose_confirmation_fails_is_given_back() {
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
  void a_release_that_nobody_answered_is_sent_again_until_somebody_does() {
    var unlocked = granted().unlock().toCompletableFuture();
    LockCommand release = nobodyAnswers();
    assertThrows(CompletionException.class, unlocked::join);
    for (int again = 0; again < 5; again++) {
      pass(GivingBack.PAUSE);
      assertEquals(release, nobodyAnswers());
    }
    pass(GivingBack.PAUSE);
    answer(new Outcome.Released(TOKEN, 0, false));
    pass(TTL);
    assertTrue(asked.isEmpty());
    assertEquals(0, door.givingBack().kept());
  }

  @Test
  void a_release_is_sent_for_no_longer_than_its_grant_may_live() {
    var unused = granted().unlock();
    nobodyAnswers();
    int sent = 0;
    for (Duration rest = TTL.plus(GivingBack.ON_ITS_WAY);
        !rest.isNegative();
        rest = rest.minus(GivingBack.PAUSE)) {
      pass(GivingBack.PAUSE);
      if (!asked.isEmpty()) {
        nobodyAnswers();
        sent++;
      }
    }
    assertEquals(TTL.plus(GivingBack.ON_ITS_WAY).toSeconds() - 1, sent);
    assertEquals(0, door.givingBack().kept());
  }

  @Test
  void a_cancel_that_nobody_answered_is_sent_again_until_somebody_does() {
    var asking = lock.lock(TTL, Duration.ofMinutes(1)).toCompletableFuture();
    nobodyAnswers();
    assertThrows(CompletionException.class, asking::join);
    LockCommand cancel = nobodyAnswers();
    assertInstanceOf(LockCommand.Cancel.class, cancel);
    pass(GivingBack.PAUSE);
    assertEquals(cancel, asked.element().command());
    answer(new Outcome.Cancelled(/* dropped= */ false, TOKEN));
    pass(TTL);
    assertTrue(asked.isEmpty());
  }

  @Test
  void a_release_that_is_refused_for_want_of_room_or_a_token_is_sent_again() {
    for (Refusal passing :
        List.of(
            new Refusal.NoToken(), new Refusal.LimitReached(Refusal.Limit.WAITING_COMMANDS, 5))) {
      var unlocked = granted().unlock().toCompletableFuture();
      LockCommand release = asked.element().command();
      answer(refused(passing));
      CompletionException failure = assertThrows(CompletionException.class, unlocked::join);
      assertInstanceOf(LockRefused.class, failure.getCause());
      pass(GivingBack.PAUSE);
      assertEquals(release, asked.element().command());
      answer(refused(new Refusal.NotHolder(TOKEN, null)));
      pass(TTL);
      assertTrue(asked.isEmpty());
    }
  }

  @Test
  void what_was_lost_for_want_of_an_answer_is_given_back() {
    LockGrant grant = granted();
    pass(SURE);
    assertTrue(grant.lost().toCompletableFuture().isDone());
    assertEquals(TOKEN, ((LockCommand.Release) asked.element().command()).token());
    answer(new Outcome.Released(TOKEN, 0, false));
  }

  @Test
  void every_call_is_a_holder_of_its_own() {
    var unused = lock.tryLock(TTL);
    var unusedToo = lock.tryLock(TTL);
    HolderId first = ((LockCommand.Acquire) asked.remove().command()).holder();
    HolderId second = ((LockCommand.Acquire) asked.remove().command()).holder();
    assertEquals(SERVICE, first.client());
    assertFalse(first.equals(second));
  }

  @Test
  void more_requests_than_may_wait_are_refused() {
    for (int open = 0; open < LockDoor.MAX_OPEN; open++) {
      var unused = lock.tryLock(TTL);
    }
    var refused = lock.tryLock(TTL).toCompletableFuture();
    CompletionException failure = assertThrows(CompletionException.class, refused::join);
    assertInstanceOf(LockShards.Overloaded.class, failure.getCause());
    grant(Outcome.Manner.AT_ONCE);
    var unused = lock.tryLock(TTL);
    assertEquals(LockDoor.MAX_OPEN, asked.size(), "there is room for one more");
  }

  private LockGrant granted() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    grant(Outcome.Manner.AT_ONCE);
    return asking.join().orElseThrow();
  }

  private void grant(Outcome.Manner manner) {
    asked.remove().answer().complete(acquired(manner));
  }

  private static LockAnswer acquired(Outcome.Manner manner) {
    Life life = new Life.Own(new Ttl(TTL.toMillis()));
    return new LockAnswer(0, 1, new Outcome.Acquired(TOKEN, life, 1, manner), true);
  }

  /** The one who asked is told so; answers what was asked. */
  private LockCommand nobodyAnswers() {
    PlayedLocks.Asked unanswered = asked.remove();
    unanswered.answer().completeExceptionally(new TimeoutException());
    return unanswered.command();
  }

  private void answer(Outcome outcome) {
    asked.remove().answer().complete(new LockAnswer(0, 1, outcome, true));
  }

  private static Outcome refused(Refusal refusal) {
    return new Outcome.Refused(refusal);
  }

  private void renewed(boolean alive) {
    renewed.remove().answer().complete(alive ? alive() : Renewal.Answer.DEAD);
  }

  private static Renewal.Answer alive() {
    return new Renewal.Answer(true, TTL.toMillis(), TOKEN.value(), 0, 0);
  }

  private static Holder holder() {
    return new Holder(
        HolderId.of(SERVICE, "other"),
        new Request(new RequestId.Once(SERVICE, 77), 1),
        new FencingToken(4),
        new Life.Own(new Ttl(100)),
        1,
        Metadata.NONE);
  }

  private void pass(Duration time) {
    played.pass(time);
  }
}
