package io.holdfast.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.v1.Answer;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Operation;
import io.holdfast.v1.OwnerHint;
import io.holdfast.v1.RenewResponse;
import io.holdfast.v1.SessionResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules of docs/protocol.md for locks, one by one, by the frames that come of them. */
final class SessionCoreTest extends CoreByHand {

  @Test
  void a_grant_that_was_lost_stays_lost_and_is_given_back() {
    open();
    attempt("k");
    effects();
    frame(0, answer(1, grant(5)));
    after(TTL / 3 + 1);
    now += TTL * MILLI;
    frame(0, SessionResponse.newBuilder().setKeepAliveNumber(1).setGrantedTtlMs(2 * TTL));
    assertEquals(List.of("lost DEADLINE_PASSED"), told, "D8");
    assertTrue(effects().toString().contains("unlock"));
  }

  @Test
  void a_grant_after_waiting_is_held_when_its_renewal_says_so() {
    open();
    attempt("k");
    effects();
    frame(0, answer(1, LockResponse.newBuilder().setQueued(true)));
    assertTrue(effects().isEmpty());
    frame(0, answer(1, grant(5).setWaited(true)));
    assertTrue(granted.isEmpty(), "D6");
    Operation renew = sentTo(0, effects()).get(0);
    assertEquals(5, renew.getRenew().getFencingToken());
    frame(
        0,
        SessionResponse.newBuilder()
            .addAnswers(
                Answer.newBuilder()
                    .setNumber(renew.getNumber())
                    .setRenew(RenewResponse.newBuilder().setHeldNow(true).setFencingToken(5))));
    assertEquals(1, granted.size());
  }

  @Test
  void a_grant_that_comes_too_late_is_released_and_asked_for_again() {
    open();
    core.acquire(new LockAttempt.Terms("k", "h", /* ownTtlMillis= */ 500, -1), listener, now);
    effects();
    now += 450 * MILLI;
    frame(0, answer(1, grant(5).setGrantedTtlMs(500)));
    assertTrue(granted.isEmpty(), "D7");
    List<Operation> then = sentTo(0, effects());
    assertEquals(5, then.get(0).getUnlock().getFencingToken());
    assertTrue(then.get(1).hasLock());
  }

  @Test
  void a_renewal_of_an_own_ttl_counts_from_its_sending() {
    open();
    core.acquire(new LockAttempt.Terms("k", "h", /* ownTtlMillis= */ 5_000, -1), listener, now);
    effects();
    frame(0, answer(1, grant(5).setGrantedTtlMs(5_000)));
    Operation renew = sentTo(0, after(2_000)).get(0);
    long sentAt = now;
    now += 1_000 * MILLI;
    frame(
        0,
        SessionResponse.newBuilder()
            .addAnswers(
                Answer.newBuilder()
                    .setNumber(renew.getNumber())
                    .setRenew(
                        RenewResponse.newBuilder()
                            .setHeldNow(true)
                            .setFencingToken(5)
                            .setGrantedTtlMs(5_000))));
    assertEquals(
        DeadlineRules.deadline(sentAt, 5_000), granted.get(0).validity().deadlineNanos(), "D2");
  }

  @Test
  void a_lock_request_of_unknown_outcome_is_cancelled() {
    open();
    core.acquire(new LockAttempt.Terms("k", "h", 0, 0), listener, now);
    effects();
    for (int i = 0; i < 110; i++) {
      frame(0, SessionResponse.newBuilder()); // alive, and silent about the lock
      frame(1, SessionResponse.newBuilder());
      for (Operation sent : sentTo(0, after(100))) {
        if (sent.hasCancel()) {
          assertEquals(1, sent.getCancel().getLockNumber(), "O7");
          assertTrue(told.get(0).startsWith("Indeterminate"), told::toString);
          return;
        }
      }
    }
    throw new AssertionError("no cancel: " + told);
  }

  @Test
  void operations_follow_an_undecided_one_of_their_key() {
    open();
    attempt("k");
    assertEquals(1, sentTo(0, effects()).size(), "nobody has said who owns it");
    frame(
        0,
        SessionResponse.newBuilder()
            .addOwners(OwnerHint.newBuilder().setMemberId(2).setShard(0).setEpoch(3)));
    attempt("k");
    attempt("other");
    List<Effect> effects = effects();
    assertEquals("k", sentTo(0, effects).get(0).getLock().getKey(), "O4");
    assertEquals("other", sentTo(1, effects).get(0).getLock().getKey(), "O3");
    frame(0, answer(1, LockResponse.newBuilder().setQueued(true)));
    frame(0, answer(2, LockResponse.newBuilder().setQueued(true)));
    attempt("k");
    assertEquals(1, sentTo(1, effects()).size(), "what waits is decided");
  }

  @Test
  void operations_of_an_ended_stream_go_elsewhere_in_their_order() {
    open();
    attempt("k");
    attempt("l");
    attempt("k");
    List<Operation> before = sentTo(0, effects());
    frame(0, answer(1, LockResponse.newBuilder().setQueued(true)));
    core.onEnded(0, streams[0], null, "gone", now);
    assertEquals(before, sentTo(1, effects()), "O1, O5");
    frame(1, answer(1, grant(5).setRepeated(true)));
    assertTrue(granted.isEmpty(), "D6");
  }

  @Test
  void the_lowest_open_number_waits_for_what_refers_to_it() {
    open();
    LockAttempt attempt = attempt("k");
    effects();
    core.cancel(attempt, now);
    Operation cancel = sentTo(0, effects()).get(0);
    assertEquals(1, cancel.getCancel().getLockNumber(), "O8");
    frame(0, answer(1, LockResponse.newBuilder()));
    attempt("l");
    Effect.Send send = (Effect.Send) effects().get(0);
    assertEquals(1, send.frame().getLowestOpenNumber(), "O2");
  }

  @Test
  void an_attempt_that_was_never_sent_is_given_up_silently() {
    LockAttempt attempt = attempt("k");
    after(0);
    core.cancel(attempt, now);
    frame(0, opened());
    assertEquals(List.of(), sentTo(0, after(0)));
  }

  private static SessionResponse.Builder forgotten(long number) {
    return SessionResponse.newBuilder()
        .addAnswers(
            Answer.newBuilder()
                .setNumber(number)
                .setRefused(
                    io.holdfast.v1.Refusal.newBuilder()
                        .setReason(io.holdfast.v1.Reason.REASON_REQUEST_FORGOTTEN)
                        .setEffect(io.holdfast.v1.Effect.EFFECT_UNKNOWN)));
  }

  @Test
  void a_lock_request_that_the_server_has_forgotten_is_asked_anew() {
    open();
    attempt("k");
    Operation first = sentTo(0, effects()).get(0);
    core.onEnded(0, streams[0], null, "gone", now);
    assertEquals(List.of(first), sentTo(1, effects()), "O5");
    frame(1, forgotten(first.getNumber()));
    assertEquals(List.of(), told, "the user is not told of numbers");
    assertTrue(sentTo(1, effects()).get(0).hasLock());
  }

  @Test
  void a_release_whose_outcome_is_forgotten_is_indeterminate() {
    open();
    attempt("k");
    effects();
    frame(0, answer(1, grant(5)));
    core.release(
        granted.get(0),
        new SessionCore.Release() {
          @Override
          public void released(boolean wasHeld) {
            told.add("released " + wasHeld);
          }

          @Override
          public void failed(Failure failure) {
            told.add(failure.toString());
          }
        },
        now);
    Operation unlock = sentTo(0, effects()).get(0);
    core.onEnded(0, streams[0], null, "gone", now);
    effects();
    frame(1, forgotten(unlock.getNumber()));
    assertFalse(told.toString().contains("Refused"), told::toString);
  }
}
