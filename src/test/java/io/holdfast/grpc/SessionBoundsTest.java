package io.holdfast.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.entity.LockAnswer;
import io.holdfast.lock.LeaseLife;
import io.holdfast.lock.Outcome;
import io.holdfast.v1.Answer;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one stream of a session may have open, and what its waiting costs. */
class SessionBoundsTest {

  private static final LeaseLife SESSION = new LeaseLife(7, 3);

  private final PlayedPort port = new PlayedPort();
  private final SessionCore core = port.core(/* maxOpen= */ 5_000);
  private long now;

  @BeforeEach
  void open() {
    core.onWanted();
    frame(SessionRequest.newBuilder().setOpen(SessionOpen.getDefaultInstance()).build());
    core.onOpened(PlayedPort.opened(SESSION), now);
    core.onFlush();
    assertTrue(port.frames.remove().hasOpened());
    core.onWanted();
  }

  @Test
  void the_connection_has_a_bound_beside_that_of_the_stream() {
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
  void a_read_with_the_number_of_an_open_operation_counts_like_others() {
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
  void what_waits_by_its_session_is_asked_ever_more_seldom() {
    queued(LockRequest.newBuilder());
    assertEquals(List.of(1_000L, 3_000L, 7_000L, 15_000L, 23_000L), asked(30_000));
  }

  @Test
  void what_waits_by_being_asked_is_asked_every_second() {
    queued(LockRequest.newBuilder().setTtlMs(10_000));
    assertEquals(List.of(1_000L, 2_000L, 3_000L, 4_000L), asked(4_000));
  }

  private void queued(LockRequest.Builder request) {
    frame(SessionRequest.newBuilder().addOperations(lock(1, request)).build());
    Outcome waiting = new Outcome.Waiting(port.sent.remove().command().id().orElseThrow(), 2);
    core.onAnswer(new LockAnswer(1, 1, waiting, /* kept= */ true), now);
  }

  /** When it is asked again, in the time to come. */
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
