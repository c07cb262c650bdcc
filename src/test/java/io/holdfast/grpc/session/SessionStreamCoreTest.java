package io.holdfast.grpc.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Outcome;
import io.holdfast.v1.Answer;
import io.holdfast.v1.Reason;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.Renewal;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One stream of a session. */
class SessionStreamCoreTest extends OpenSessionStream {

  @Test
  void a_first_frame_without_open_ends_the_stream() {
    FakeSessionPort fresh = new FakeSessionPort();
    SessionStreamCore unopened = fresh.core(4);
    unopened.onFrame(SessionRequest.getDefaultInstance(), now);
    assertTrue(unopened.hasEnded());
    assertEquals(Reason.REASON_FRAME_INVALID, fresh.endedBy());
  }

  @Test
  void operations_of_one_frame_on_one_key_are_sent_together() {
    frame(lock(1, "a"), lock(2, "b"), unlock(3, "a", 5));
    assertEquals(List.of("a [1, 3]", "b [2]"), port.takeSent());
  }

  @Test
  void answers_are_batched_into_the_next_frame_of_the_client() {
    frame(lock(1, "a"), lock(2, "b"));
    answer(1, ACQUIRED, true);
    answer(2, ACQUIRED, true);
    core.onFlush();
    assertEquals(List.of(1L, 2L), numbers(port.frames.remove()));
    frame(lock(3, "a"));
    answer(3, ACQUIRED, true);
    core.onFlush();
    assertTrue(port.frames.isEmpty(), "the client has not taken the last frame");
    core.onDemand();
    assertEquals(List.of(3L), numbers(port.frames.remove()));
  }

  @Test
  void an_unanswered_operation_is_resent_as_a_copy() {
    frame(lock(1, "a"));
    assertFalse(isCopy(port.sent.remove()));
    pass(249);
    assertTrue(port.sent.isEmpty());
    pass(1);
    assertTrue(isCopy(port.sent.remove()));
  }

  @Test
  void an_open_operation_of_a_moved_shard_is_resent_at_once() {
    frame(lock(1, "a"), lock(2, "b"));
    port.takeSent();
    core.onMoved(Set.of(port.shard(FakeSessionPort.key("a"))), now);
    assertEquals(List.of("a [1]"), port.takeSent());
  }

  @Test
  void a_refusal_is_held_back_while_another_copy_is_in_flight() {
    frame(lock(1, "a"));
    pass(250);
    answer(1, LOCKED, /* kept= */ false);
    core.onFlush();
    assertTrue(port.frames.isEmpty());
    answer(1, ACQUIRED, /* kept= */ true);
    core.onFlush();
    assertTrue(port.frames.remove().getAnswers(0).getLock().getAcquired());
    answer(1, ACQUIRED, /* kept= */ true); // to another copy
    core.onFlush();
    assertTrue(port.frames.isEmpty());
  }

  @Test
  void an_operation_repeated_by_the_client_is_sent_as_a_copy() {
    frame(lock(1, "a"));
    assertFalse(isCopy(port.sent.remove()));
    frame(lock(1, "a"));
    assertTrue(isCopy(port.sent.remove()));
    answer(1, LOCKED, /* kept= */ false); // to the first
    core.onFlush();
    assertTrue(port.frames.isEmpty(), "the second may be granted the lock");
    answer(1, ACQUIRED, /* kept= */ true);
    core.onFlush();
    assertTrue(port.frames.remove().getAnswers(0).getLock().getAcquired());
  }

  @Test
  void a_queued_request_gets_its_position_once_then_its_outcome() {
    frame(lock(1, "a"));
    LockMessage.Handle sent = port.sent.remove();
    Outcome waiting = new Outcome.Waiting(sent.command().id().orElseThrow(), 2);
    answer(1, waiting, true);
    answer(1, waiting, true);
    core.onFlush();
    SessionResponse frame = port.frames.remove();
    assertEquals(1, frame.getAnswersCount());
    assertEquals(2, frame.getAnswers(0).getLock().getQueuePosition());
    core.onDemand();
    answer(1, ACQUIRED, true);
    core.onFlush();
    assertTrue(port.frames.remove().getAnswers(0).getLock().getAcquired());
  }

  @Test
  void an_operation_above_the_limit_is_refused_and_not_counted() {
    frame(lock(1, "a"), lock(2, "b"), lock(3, "c"), lock(4, "d"), lock(5, "e"));
    core.onFlush();
    Answer refused = port.frames.remove().getAnswers(0);
    assertEquals(5, refused.getNumber());
    assertEquals(Reason.REASON_TOO_MANY_OPEN_OPERATIONS, refused.getRefused().getReason());
    assertEquals(4, port.openOfConnection());
    core.onGone();
    core.onStopped();
    assertEquals(0, port.openOfConnection());
  }

  @Test
  void a_full_node_delays_locks_but_not_releases_or_keepalives() {
    port.limit(2); // 1 by one connection, and 1 more of what goes first
    frame(lock(1, "a"), lock(2, "c"), unlock(3, "d", 1), unlock(4, "c", 1));
    assertEquals(List.of("a [1]", "d [3]"), port.takeSent());
    int taken = port.taken;
    core.onFrame(SessionRequest.newBuilder().setKeepAliveNumber(7).build(), now);
    assertEquals(List.of(7L), port.keptAlive);
    assertEquals(taken + 1, port.taken);
    answer(1, WAITING, false);
    answer(3, new Outcome.Released(new FencingToken(1), 0, false), true);
    core.onFlush();
    assertEquals(List.of("c [2, 4]"), port.takeSent(), "and its release after it");
    assertEquals(2, port.underWay);
    assertEquals(3, port.openOfConnection());
  }

  @Test
  void operations_count_after_the_stream_until_their_answer() {
    frame(lock(1, "a"), lock(2, "b"), lock(3, "c"));
    answer(3, WAITING, false);
    core.onGone();
    assertEquals(2, port.underWay);
    answer(1, ACQUIRED, true);
    assertFalse(core.isSettled());
    assertEquals(1, port.underWay);
    answer(2, ACQUIRED, true);
    assertTrue(core.isSettled());
    assertEquals(0, port.underWay);
    assertEquals(0, port.openOfConnection());
  }

  @Test
  void an_unanswered_operation_is_dropped_soon_after_its_stream() {
    frame(lock(1, "a"));
    core.onGone();
    port.takeSent();
    for (int i = 0; i < 20; i++) {
      assertFalse(core.isSettled());
      pass(250);
    }
    assertTrue(core.isSettled());
    assertTrue(port.takeSent().isEmpty(), "it is not sent again");
    core.onStopped();
    assertEquals(0, port.underWay);
  }

  @Test
  void a_number_below_the_lowest_open_one_is_refused() {
    core.onFrame(
        SessionRequest.newBuilder().setLowestOpenNumber(5).addOperations(lock(4, "a")).build(),
        now);
    core.onFlush();
    assertEquals(
        Reason.REASON_REQUEST_FORGOTTEN,
        port.frames.remove().getAnswers(0).getRefused().getReason());
    assertTrue(port.sent.isEmpty());
  }

  @Test
  void a_closing_stream_revokes_until_the_session_has_ended() {
    frame(lock(1, "a"));
    core.onFrame(SessionRequest.newBuilder().setClose(true).build(), now);
    assertEquals(0, port.revoked);
    answer(1, ACQUIRED, true);
    assertEquals(1, port.revoked);
    core.onRevoked(null); // nobody could say so
    pass(250);
    assertEquals(2, port.revoked);
    core.onRevoked(new LeaseOutcome.Ended(1, false));
    assertTrue(port.frames.remove().getClosed());
    assertFalse(core.hasEnded(), "it is not taken");
    core.onDemand();
    assertTrue(core.hasEnded());
    assertNull(port.error);
  }

  @Test
  void a_keepalive_is_acknowledged_by_its_number() {
    core.onFrame(SessionRequest.newBuilder().setKeepAliveNumber(8).build(), now);
    core.onKeptAlive(8, new Renewal.Answer(true, 10_000, 0, 0, new Revision(3)));
    core.onFlush();
    SessionResponse frame = port.frames.remove();
    assertEquals(8, frame.getKeepAliveNumber());
    assertEquals(10_000, frame.getGrantedTtlMs());
    core.onKeptAlive(9, null); // nobody could say whether it counts
    core.onFlush();
    assertTrue(port.frames.isEmpty());
    core.onKeptAlive(10, new Renewal.Answer(false, 0, 0, 0, Revision.NONE));
    assertEquals(Reason.REASON_SESSION_NOT_FOUND, port.endedBy());
  }

  @Test
  void the_end_of_another_incarnation_does_not_end_the_stream() {
    core.onEnded(new Revision(SESSION.incarnation().value() - 1), /* isRevoked= */ false);
    assertFalse(core.hasEnded());
    core.onEnded(SESSION.incarnation(), /* isRevoked= */ false);
    assertEquals(Reason.REASON_SESSION_NOT_FOUND, port.endedBy());
  }

  @Test
  void an_older_stream_is_ended_by_a_newer_one() {
    core.onReplaced();
    assertEquals(Reason.REASON_SESSION_REPLACED, port.endedBy());
  }

  @Test
  void a_half_closed_stream_still_gets_its_answers() {
    frame(lock(1, "a"));
    core.onFinished();
    assertFalse(core.hasEnded());
    answer(1, ACQUIRED, true);
    core.onFlush();
    assertEquals(List.of(1L), numbers(port.frames.remove()));
    assertFalse(core.hasEnded(), "it is not taken");
    core.onDemand();
    assertTrue(core.hasEnded());
    assertNull(port.error);
  }

  @Test
  void a_leaving_node_notifies_the_client_once() {
    port.isLeaving = true;
    pass(250);
    assertTrue(port.frames.remove().getLeaving());
    core.onDemand();
    pass(250);
    assertTrue(port.frames.isEmpty());
  }
}
