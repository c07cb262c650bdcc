package io.holdfast.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.v1.Answer;
import io.holdfast.v1.CancelResponse;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.RenewResponse;
import io.holdfast.v1.SessionResponse;
import io.holdfast.v1.UnlockResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Nothing that nobody wants is kept alive by the session: rules D8, O7, O8 and O10. */
final class GivingBackTest extends CoreByHand {

  private final SessionCore.Release release =
      new SessionCore.Release() {
        @Override
        public void released(boolean wasHeld) {
          told.add("released " + wasHeld);
        }

        @Override
        public void failed(Failure failure) {
          told.add(failure.getClass().getSimpleName());
        }
      };

  /** Nodes that keep the session alive and answer probes, and nothing else. */
  private List<Operation> aliveAndSilent(long millis) {
    List<Operation> sent = new ArrayList<>();
    for (long i = 0; i < millis; i += 100) {
      for (Effect effect : after(100)) {
        if (effect instanceof Effect.Open open) {
          frame(open.node(), opened());
        } else if (effect instanceof Effect.Send send) {
          SessionResponse.Builder back = SessionResponse.newBuilder();
          if (send.frame().getKeepAliveNumber() > 0) {
            back.setKeepAliveNumber(send.frame().getKeepAliveNumber()).setGrantedTtlMs(TTL);
          }
          for (Operation operation : send.frame().getOperationsList()) {
            if (operation.hasGetLock()) {
              back.addAnswers(
                  Answer.newBuilder()
                      .setNumber(operation.getNumber())
                      .setGetLock(GetLockResponse.getDefaultInstance()));
            } else {
              sent.add(operation);
            }
          }
          frame(send.node(), back);
        }
      }
    }
    return sent;
  }

  /** All nodes are away: each stream ends as it is opened. */
  private void nobodyThere(long millis) {
    core.onEnded(0, streams[0], null, "cut", now);
    core.onEnded(1, streams[1], null, "cut", now);
    for (long i = 0; i < millis; i += 100) {
      for (Effect effect : after(100)) {
        if (effect instanceof Effect.Open open) {
          core.onEnded(open.node(), open.stream(), null, "refused", now);
        }
      }
    }
  }

  private HeldGrant held() {
    open();
    attempt("k");
    long number = sentTo(0, effects()).get(0).getNumber();
    frame(0, answer(number, grant(5)));
    return granted.get(0);
  }

  private static Operation only(List<Operation> sent, Predicate<Operation> wanted) {
    List<Operation> found = sent.stream().filter(wanted).distinct().toList();
    assertEquals(1, found.size(), sent::toString);
    return found.get(0);
  }

  private static SessionResponse.Builder refused(long number, Reason reason) {
    return SessionResponse.newBuilder()
        .addAnswers(
            Answer.newBuilder()
                .setNumber(number)
                .setRefused(
                    Refusal.newBuilder()
                        .setReason(reason)
                        .setEffect(io.holdfast.v1.Effect.EFFECT_NONE)));
  }

  private static LockResponse.Builder locked() {
    return LockResponse.newBuilder().setReason(Reason.REASON_LOCKED);
  }

  private Operation tryLock() {
    core.acquire(new LockAttempt.Terms("k", "h", 0, /* patienceNanos= */ 0), listener, now);
    return sentTo(0, effects()).get(0);
  }

  /** The first stream breaks while a try-lock is out on it, which goes to the other one. */
  private Operation tryLockTwice() {
    open();
    Operation asked = tryLock();
    core.onEnded(0, streams[0], null, "gone", now);
    assertEquals(List.of(asked), sentTo(1, effects()), "O5");
    return asked;
  }

  @Test
  void a_lost_grant_is_given_back_after_a_long_outage() {
    held();
    nobodyThere(25_000);
    assertEquals(List.of("lost DEADLINE_PASSED"), told);
    Operation unlock = only(aliveAndSilent(1_000), Operation::hasUnlock);
    assertEquals(5, unlock.getUnlock().getFencingToken(), "D8");
  }

  @Test
  void a_release_without_an_answer_is_told_late_and_goes_on() {
    HeldGrant grant = held();
    core.release(grant, release, now);
    only(aliveAndSilent(11_000), Operation::hasUnlock);
    assertEquals(List.of("Indeterminate"), told);
    Operation unlock = only(aliveAndSilent(60_000), Operation::hasUnlock);
    core.release(grant, release, now);
    assertEquals(List.of(), aliveAndSilent(500), "it is asked already");
    frame(
        0,
        SessionResponse.newBuilder()
            .addAnswers(
                Answer.newBuilder()
                    .setNumber(unlock.getNumber())
                    .setUnlock(UnlockResponse.newBuilder().setReleased(true))));
    assertEquals(List.of("Indeterminate", "released true"), told);
    assertEquals(List.of(), aliveAndSilent(20_000));
  }

  @Test
  void a_release_is_over_with_its_session() {
    HeldGrant grant = held();
    nobodyThere(100);
    core.release(grant, release, now);
    after(3_000).forEach(effect -> assertTrue(effect instanceof Effect.Open));
    core.onEnded(
        0,
        streams[0],
        refused(0, Reason.REASON_SESSION_NOT_FOUND).getAnswers(0).getRefused(),
        "",
        now);
    assertEquals(List.of("released false"), told);
    assertEquals(List.of(), aliveAndSilent(15_000));
  }

  @Test
  void a_release_that_is_forgotten_is_asked_anew() {
    HeldGrant grant = held();
    core.release(grant, release, now);
    Operation first = only(sentTo(0, effects()), Operation::hasUnlock);
    frame(0, refused(first.getNumber(), Reason.REASON_REQUEST_FORGOTTEN));
    Operation second = only(sentTo(0, effects()), Operation::hasUnlock);
    assertNotEquals(first.getNumber(), second.getNumber());
    assertEquals(List.of("Indeterminate"), told);
  }

  @Test
  void a_cancel_is_asked_until_it_is_answered() {
    open();
    Operation asked = tryLock();
    aliveAndSilent(11_000);
    assertEquals(1, told.size(), "O7");
    nobodyThere(25_000);
    Operation cancel = only(aliveAndSilent(30_000), Operation::hasCancel);
    assertEquals(asked.getNumber(), cancel.getCancel().getLockNumber());
    frame(
        0,
        SessionResponse.newBuilder()
            .addAnswers(
                Answer.newBuilder()
                    .setNumber(cancel.getNumber())
                    .setCancel(CancelResponse.getDefaultInstance())));
    assertEquals(List.of(), aliveAndSilent(20_000));
  }

  @Test
  void a_refused_lock_request_with_a_copy_left_is_cancelled() {
    Operation asked = tryLockTwice();
    frame(1, answer(asked.getNumber(), locked()));
    assertEquals(1, told.size());
    Operation cancel = only(sentTo(1, effects()), Operation::hasCancel);
    assertEquals(asked.getNumber(), cancel.getCancel().getLockNumber(), "O10");
  }

  @Test
  void a_cancel_that_a_limit_refuses_is_sent_again() {
    Operation asked = tryLockTwice();
    frame(1, answer(asked.getNumber(), locked()));
    Operation cancel = only(sentTo(1, effects()), Operation::hasCancel);
    frame(1, refused(cancel.getNumber(), Reason.REASON_STATE_FULL));
    assertEquals(cancel, only(aliveAndSilent(200), Operation::hasCancel));
  }

  @Test
  void a_cancel_that_a_limit_keeps_refusing_backs_off_to_a_second() {
    Operation asked = tryLockTwice();
    frame(1, answer(asked.getNumber(), locked()));
    Operation cancel = only(sentTo(1, effects()), Operation::hasCancel);
    int resent = 0;
    for (int i = 0; i < 100; i++) {
      frame(0, refused(cancel.getNumber(), Reason.REASON_STATE_FULL));
      frame(1, refused(cancel.getNumber(), Reason.REASON_STATE_FULL));
      resent += (int) aliveAndSilent(100).stream().filter(Operation::hasCancel).count();
    }
    assertTrue(resent >= 8 && resent <= 25, "in ten seconds: " + resent);
  }

  @Test
  void a_cancel_that_a_limit_keeps_refusing_delays_no_renewal() {
    open();
    core.acquire(new LockAttempt.Terms("k", "own", /* ownTtlMillis= */ 1_000, 0), listener, now);
    Operation own = sentTo(0, effects()).get(0);
    frame(0, answer(own.getNumber(), grant(5).setGrantedTtlMs(1_000)));
    Operation asked = tryLock();
    core.onEnded(0, streams[0], null, "gone", now);
    assertEquals(List.of(asked), sentTo(1, effects()), "O5");
    frame(1, answer(asked.getNumber(), locked()));
    Operation cancel = only(sentTo(1, effects()), Operation::hasCancel);
    for (int i = 0; i < 100; i++) {
      for (int node = 0; node < 2; node++) {
        frame(node, refused(cancel.getNumber(), Reason.REASON_STATE_FULL));
      }
      aliveAndSilent(100).stream().filter(Operation::hasRenew).forEach(this::renewed);
    }
    assertTrue(granted.get(0).validity().isSureAt(now), told::toString);
  }

  private void renewed(Operation renewal) {
    Answer.Builder answer =
        Answer.newBuilder()
            .setNumber(renewal.getNumber())
            .setRenew(RenewResponse.newBuilder().setHeldNow(true).setGrantedTtlMs(1_000));
    for (int node = 0; node < 2; node++) {
      frame(node, SessionResponse.newBuilder().addAnswers(answer));
    }
  }

  @Test
  void a_full_queue_with_a_copy_left_is_cancelled() {
    Operation asked = tryLockTwice();
    frame(1, refused(asked.getNumber(), Reason.REASON_QUEUE_FULL));
    assertEquals(1, told.size());
    only(sentTo(1, effects()), Operation::hasCancel);
  }

  @Test
  void a_lock_request_refused_after_an_unknown_effect_is_cancelled() {
    open();
    Operation asked = tryLock();
    SessionResponse.Builder unknown = refused(asked.getNumber(), Reason.REASON_INDETERMINATE);
    unknown
        .getAnswersBuilder(0)
        .getRefusedBuilder()
        .setEffect(io.holdfast.v1.Effect.EFFECT_UNKNOWN);
    frame(0, unknown);
    assertEquals(asked, only(aliveAndSilent(200), Operation::hasLock));
    frame(0, answer(asked.getNumber(), locked()));
    only(sentTo(0, effects()), Operation::hasCancel);
  }

  @Test
  void a_lock_request_that_was_sent_once_is_not_cancelled() {
    open();
    Operation asked = tryLock();
    frame(0, refused(asked.getNumber(), Reason.REASON_NO_MAJORITY));
    assertEquals(asked, only(aliveAndSilent(200), Operation::hasLock));
    frame(0, answer(asked.getNumber(), locked()));
    assertEquals(List.of(), aliveAndSilent(200));
  }

  @Test
  void a_late_grant_is_released_and_asked_for_by_another_holder() {
    open();
    core.acquire(new LockAttempt.Terms("k", "h", /* ownTtlMillis= */ 500, -1), listener, now);
    Operation first = sentTo(0, effects()).get(0);
    now += 450 * MILLI;
    frame(0, answer(first.getNumber(), grant(5).setGrantedTtlMs(500)));
    List<Operation> then = sentTo(0, effects());
    assertEquals(5, then.get(0).getUnlock().getFencingToken(), "D7");
    assertNotEquals(first.getLock().getHolderId(), then.get(1).getLock().getHolderId(), "D11");
  }

  @Test
  void too_much_that_is_open_refuses_lock_requests_and_no_release() {
    HeldGrant grant = held();
    for (int i = 0; i < Operations.MAX_OPEN; i++) {
      attempt("other");
    }
    assertEquals(List.of(), told);
    attempt("one too many");
    assertEquals(
        List.of(
            "Unavailable[message=open operations [65537] exceed the maximum [65536];"
                + " [0] of them give something back]"),
        told);
    core.release(grant, release, now);
    only(sentTo(0, effects()).stream().filter(Operation::hasUnlock).toList(), Operation::hasUnlock);
  }

  @Test
  void a_session_ends_without_waiting_for_what_ends_with_it() {
    HeldGrant grant = held();
    core.release(grant, release, now);
    effects();
    core.close(now);
    assertTrue(
        after(100).stream()
            .anyMatch(effect -> effect instanceof Effect.Send send && send.frame().getClose()));
    assertFalse(core.isClosed());
    frame(0, SessionResponse.newBuilder().setClosed(true));
    assertEquals(List.of("Unavailable"), told);
  }

  @Test
  void a_closing_client_whose_session_has_ended_is_closed() {
    open();
    core.acquire(new LockAttempt.Terms("k", "h", /* ownTtlMillis= */ 5_000, -1), listener, now);
    long number = sentTo(0, effects()).get(0).getNumber();
    frame(0, answer(number, grant(5)));
    core.close(now);
    assertEquals(1, sentTo(0, effects()).size(), "its release");
    Refusal gone = Refusal.newBuilder().setReason(Reason.REASON_SESSION_NOT_FOUND).build();
    core.onEnded(0, streams[0], gone, "", now);
    after(100);
    assertTrue(core.isClosed(), "nothing can be sent any more");
  }
}
