package io.holdfast.grpc.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.v1.Answer;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.UnlockRequest;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.Renewal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The limits of one session stream: open operations, delayed operations and resends. */
class SessionBoundsTest {

  private static final LeaseLife SESSION = LeaseLife.of(new LeaseId(7), new Revision(3));

  private final FakeSessionPort port = new FakeSessionPort();
  private final SessionStreamCore core = port.core(/* maxOpen= */ 5_000);
  private long now;

  @BeforeEach
  void open() {
    core.onDemand();
    frame(SessionRequest.newBuilder().setOpen(SessionOpen.getDefaultInstance()).build());
    core.onOpened(FakeSessionPort.opened(SESSION), now);
    core.onFlush();
    assertTrue(port.frames.remove().hasOpened());
    core.onDemand();
  }

  @Test
  void a_connection_has_a_limit_of_operations_beside_the_stream() {
    List<Operation> many = new ArrayList<>();
    for (int number = 1; number <= 1_001; number++) {
      many.add(lock(number, LockRequest.newBuilder()));
    }
    frame(SessionRequest.newBuilder().addAllOperations(many).build());
    core.onFlush();
    Answer refused = port.frames.remove().getAnswers(0);
    assertEquals(1_001, refused.getNumber());
    assertEquals(Reason.REASON_TOO_MANY_OPEN_OPERATIONS, refused.getRefused().getReason());
    assertEquals(1_000, refused.getRefused().getMaximum());
    assertTrue(refused.getRefused().getMessage().contains("of the connection"));
    assertTrue(refused.getRefused().getMessage().contains("holdfast.sessions"));
  }

  @Test
  void a_read_with_the_number_of_an_open_operation_counts_too() {
    queued(LockRequest.newBuilder());
    Operation read =
        Operation.newBuilder()
            .setNumber(1)
            .setGetLock(GetLockRequest.newBuilder().setKey("k1"))
            .build();
    frame(SessionRequest.newBuilder().addAllOperations(Collections.nCopies(1_010, read)).build());
    assertEquals(1_000, port.openOfConnection());
  }

  @Test
  void a_waiter_on_the_session_is_resent_with_backoff() {
    queued(LockRequest.newBuilder());
    assertEquals(List.of(1_000L, 3_000L, 7_000L, 15_000L, 23_000L), asked(30_000));
  }

  @Test
  void a_waiter_with_its_own_ttl_is_resent_every_second() {
    queued(LockRequest.newBuilder().setTtlMs(10_000));
    assertEquals(List.of(1_000L, 2_000L, 3_000L, 4_000L), asked(4_000));
  }

  @Test
  void the_first_frame_starts_after_the_session_is_open() {
    FakeSessionPort fresh = new FakeSessionPort();
    SessionStreamCore opening = fresh.core(10);
    opening.onFrame(
        SessionRequest.newBuilder().setOpen(SessionOpen.getDefaultInstance()).build(), now);
    assertEquals(0, fresh.begun);
    opening.onOpened(FakeSessionPort.opened(SESSION), now);
    assertEquals(1, fresh.begun);
    opening.onFrame(SessionRequest.getDefaultInstance(), now);
    assertEquals(2, fresh.begun);
  }

  @Test
  void answers_count_until_the_connection_takes_their_frame() {
    frame(locks(1, 10));
    answerAll();
    int counted = port.unread;
    assertTrue(counted > 10 * 512, "unread [%d]".formatted(counted));
    core.onFlush();
    assertEquals(1, port.frames.size());
    assertEquals(counted, port.unread, "it may wait long for room on its way");
    core.onDemand();
    assertEquals(0, port.unread);
  }

  @Test
  void frames_without_room_to_wait_stop_above_a_small_backlog() {
    port.limit(2); // 1 by one connection
    port.hasRoomToWait = false;
    int taken = port.taken;
    frame(locks(1, 10));
    assertEquals(taken + 1, port.taken);
    frame(locks(11, 10));
    assertEquals(taken + 1, port.taken);
    assertTrue(port.waiting > 19 * 512, "waiting [%d]".formatted(port.waiting));
    port.hasRoomToWait = true;
    core.onTick(now);
    assertEquals(taken + 2, port.taken);
  }

  @Test
  void a_small_backlog_drains_without_room_to_wait() {
    port.limit(2);
    port.hasRoomToWait = false;
    frame(locks(1, 20));
    int taken = port.taken;
    for (int i = 0; i < 20; i++) {
      answerAll();
      core.onTick(now);
    }
    assertEquals(taken + 1, port.taken);
    assertEquals(0, port.waiting);
  }

  @Test
  void a_client_that_reads_is_not_ended_on_a_full_node() {
    frame(locks(1, 3));
    answerAll();
    core.onFlush();
    port.hasRoomForAnswers = false;
    for (int i = 0; i < 10; i++) {
      core.onTick(now);
      now += 15_000_000_000L;
      core.onTick(now);
      core.onDemand();
      core.onFrame(keepAlive(i + 1), now);
      core.onKeptAlive(i + 1, new Renewal.Answer(true, 10_000, 0, 0, new Revision(3)));
      frame(SessionRequest.newBuilder().addOperations(unlock(10 + i)).build());
      answerAll();
      core.onFlush();
    }
    assertFalse(core.hasEnded());
  }

  @Test
  void a_client_that_reads_nothing_is_not_ended_while_there_is_room() {
    frame(locks(1, 3));
    answerAll();
    core.onFlush();
    core.onTick(now);
    now += 60_000_000_000L;
    core.onTick(now);
    port.hasRoomForAnswers = false;
    core.onTick(now);
    assertFalse(core.hasEnded());
  }

  private static SessionRequest locks(long first, int many) {
    SessionRequest.Builder frame = SessionRequest.newBuilder();
    for (long number = first; number < first + many; number++) {
      frame.addOperations(lock(number, LockRequest.newBuilder()));
    }
    return frame.build();
  }

  private static SessionRequest keepAlive(long number) {
    return SessionRequest.newBuilder().setKeepAliveNumber(number).build();
  }

  private static Operation unlock(long number) {
    return Operation.newBuilder()
        .setNumber(number)
        .setUnlock(UnlockRequest.newBuilder().setKey("k").setFencingToken(1))
        .build();
  }

  private void answerAll() {
    Outcome outcome = new Outcome.Refused(new Refusal.QueueFull(1));
    for (LockMessage.Handle sent = port.sent.poll(); sent != null; sent = port.sent.poll()) {
      core.onAnswer(new LockAnswer(sent.number(), new Revision(1), outcome, /* kept= */ true), now);
    }
  }

  private void queued(LockRequest.Builder request) {
    frame(SessionRequest.newBuilder().addOperations(lock(1, request)).build());
    Outcome waiting = new Outcome.Waiting(port.sent.remove().command().id().orElseThrow(), 2);
    core.onAnswer(new LockAnswer(1, new Revision(1), waiting, /* kept= */ true), now);
  }

  /** Lets time pass, and returns the times of resends in milliseconds. */
  private List<Long> asked(long millis) {
    List<Long> asked = new ArrayList<>();
    for (long passed = 250; passed <= millis; passed += 250) {
      now += 250_000_000;
      core.onTick(now);
      if (port.sent.poll() != null) {
        asked.add(passed);
      }
    }
    return asked;
  }

  private void frame(SessionRequest frame) {
    core.onFrame(frame, now);
  }

  private static Operation lock(long number, LockRequest.Builder request) {
    return Operation.newBuilder()
        .setNumber(number)
        .setLock(request.setKey("k" + number).setHolderId("h").setTimeoutMs(60_000))
        .build();
  }
}
