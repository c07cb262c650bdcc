package io.holdfast.sharding;

import static io.holdfast.service.LockRefTest.KEY;
import static io.holdfast.service.LockRefTest.SERVICE;
import static io.holdfast.service.LockRefTest.SURE;
import static io.holdfast.service.LockRefTest.TOKEN;
import static io.holdfast.service.LockRefTest.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.Revision;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.service.LockClient;
import io.holdfast.service.LockGrant;
import io.holdfast.service.LockRef;
import io.holdfast.service.LockRefTest;
import io.holdfast.service.LockRefused;
import io.holdfast.service.ScriptedLocks;
import io.holdfast.wire.LockAnswer;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Tests the retries of releases and cancels, on a clock that is moved by the test. */
class PendingReleasesTest {

  private final ScriptedLocks locks = new ScriptedLocks(SERVICE);
  private final Deque<ScriptedLocks.Asked> asked = locks.asked;
  private final LockClient lockClient = locks.lockClient;
  private final LockRef lock = lockClient.lock(KEY);

  @Test
  void a_release_without_an_answer_is_retried_until_answered() {
    var unlocked = granted().unlock().toCompletableFuture();
    LockCommand release = timeOut();
    assertThrows(CompletionException.class, unlocked::join);
    for (int again = 0; again < 5; again++) {
      pass(PendingReleases.PAUSE);
      assertEquals(release, timeOut());
    }
    pass(PendingReleases.PAUSE);
    answer(new Outcome.Released(TOKEN, 0, false));
    pass(TTL);
    assertTrue(asked.isEmpty());
    assertEquals(0, lockClient.pendingReleases().kept());
  }

  @Test
  void a_release_is_retried_only_while_its_grant_may_live() {
    var unused = granted().unlock();
    timeOut();
    int sent = 0;
    for (Duration rest = TTL.plus(PendingReleases.IN_FLIGHT);
        !rest.isNegative();
        rest = rest.minus(PendingReleases.PAUSE)) {
      pass(PendingReleases.PAUSE);
      if (!asked.isEmpty()) {
        timeOut();
        sent++;
      }
    }
    assertEquals(TTL.plus(PendingReleases.IN_FLIGHT).toSeconds() - 1, sent);
    assertEquals(0, lockClient.pendingReleases().kept());
  }

  @Test
  void a_cancel_without_an_answer_is_retried_until_answered() {
    var asking = lock.lock(TTL, Duration.ofMinutes(1)).toCompletableFuture();
    timeOut();
    assertThrows(CompletionException.class, asking::join);
    LockCommand cancel = timeOut();
    assertInstanceOf(LockCommand.Cancel.class, cancel);
    pass(PendingReleases.PAUSE);
    assertEquals(cancel, asked.element().command());
    answer(new Outcome.Cancelled(/* dropped= */ false, TOKEN));
    pass(TTL);
    assertTrue(asked.isEmpty());
  }

  @Test
  void a_release_refused_for_lack_of_room_or_tokens_is_retried() {
    for (Refusal passing :
        List.of(
            new Refusal.NoToken(), new Refusal.LimitReached(Refusal.Limit.WAITING_COMMANDS, 5))) {
      var unlocked = granted().unlock().toCompletableFuture();
      LockCommand release = asked.element().command();
      answer(refused(passing));
      CompletionException failure = assertThrows(CompletionException.class, unlocked::join);
      assertInstanceOf(LockRefused.class, failure.getCause());
      pass(PendingReleases.PAUSE);
      assertEquals(release, asked.element().command());
      answer(refused(new Refusal.NotHolder(TOKEN, null)));
      pass(TTL);
      assertTrue(asked.isEmpty());
    }
  }

  @Test
  void a_grant_lost_without_an_answer_is_released() {
    LockGrant grant = granted();
    pass(SURE);
    assertTrue(grant.lost().toCompletableFuture().isDone());
    assertEquals(TOKEN, ((LockCommand.Release) asked.element().command()).token());
    answer(new Outcome.Released(TOKEN, 0, false));
  }

  private LockGrant granted() {
    var asking = lock.tryLock(TTL).toCompletableFuture();
    asked.remove().answer().complete(LockRefTest.acquired(Outcome.Manner.AT_ONCE));
    return asking.join().orElseThrow();
  }

  /** Fails the open request. Returns its command. */
  private LockCommand timeOut() {
    ScriptedLocks.Asked unanswered = asked.remove();
    unanswered.answer().completeExceptionally(new TimeoutException());
    return unanswered.command();
  }

  private void answer(Outcome outcome) {
    asked.remove().answer().complete(new LockAnswer(0, new Revision(1), outcome, true));
  }

  private static Outcome refused(Refusal refusal) {
    return new Outcome.Refused(refusal);
  }

  private void pass(Duration time) {
    locks.pass(time);
  }
}
