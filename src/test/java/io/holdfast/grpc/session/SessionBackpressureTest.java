package io.holdfast.grpc.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.Revision;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.v1.Answer;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.WaiterRecord;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A session stream whose client does not read its answers. */
class SessionBackpressureTest extends OpenSessionStream {

  @Test
  void unread_answers_stop_new_frames_and_none_is_lost() {
    core.onFlush(); // the client has a frame to take, and takes no more
    frame(lock(1, "a"));
    answer(1, ACQUIRED, true);
    core.onFlush();
    assertEquals(1, port.frames.size());
    int taken = port.taken;
    Operation read =
        Operation.newBuilder()
            .setNumber(2)
            .setGetLock(GetLockRequest.newBuilder().setKey("a").setWaiterLimit(1_000))
            .build();
    frame(read, read.toBuilder().setNumber(3).build(), unlock(4, "a", 9));
    assertEquals(List.of(2L), port.reads, "its answer may be large");
    core.onDone(large(2));
    core.onFlush();
    assertEquals(List.of(2L), port.reads);
    assertTrue(port.unread >= 300_000, "unread " + port.unread);
    assertEquals(taken, port.taken);
    core.onDemand();
    assertEquals(List.of(2L), port.reads, "the frame with it is not taken");
    core.onDemand();
    assertEquals(List.of(2L, 3L), port.reads);
    core.onDone(large(3));
    core.onFlush();
    core.onDemand();
    assertEquals(List.of("a [1, 4]"), port.takeSent());
    answer(4, new Outcome.Released(new FencingToken(9), 0, false), true);
    core.onFlush();
    core.onDemand();
    assertEquals(
        List.of(1L, 2L, 3L, 4L),
        port.frames.stream().flatMap(each -> numbers(each).stream()).toList());
    assertEquals(0, port.unread);
    assertEquals(taken + 1, port.taken);
  }

  @Test
  void locks_wait_for_room_for_answers_and_releases_do_not() {
    port.hasRoomForAnswers = false;
    Operation read =
        Operation.newBuilder()
            .setNumber(2)
            .setGetLock(GetLockRequest.newBuilder().setKey("b"))
            .build();
    frame(lock(1, "a"), read, unlock(3, "c", 9));
    core.onFrame(SessionRequest.newBuilder().setKeepAliveNumber(4).build(), now);
    assertEquals(List.of("c [3]"), port.takeSent());
    assertEquals(List.of(), port.reads);
    assertEquals(List.of(4L), port.keptAlive);
    assertTrue(port.waiting > 0, "what waits counts");
    answer(3, new Outcome.Released(new FencingToken(9), 0, false), true);
    core.onFlush();
    core.onDemand();
    port.hasRoomForAnswers = true;
    pass(250);
    assertEquals(List.of("a [1]"), port.takeSent());
    assertEquals(List.of(2L), port.reads);
    assertEquals(0, port.waiting);
    assertEquals(0, port.unread);
  }

  @Test
  void a_full_node_takes_frames_and_delays_only_a_few_locks() {
    SessionStreamCore wide = port.core(/* maxOpen= */ 1_000);
    wide.onFrame(
        SessionRequest.newBuilder().setOpen(SessionOpen.getDefaultInstance()).build(), now);
    wide.onOpened(FakeSessionPort.opened(SESSION), now);
    wide.onDemand();
    wide.onDemand();
    port.frames.clear();
    port.hasRoomForAnswers = false;
    for (int at = 0; at < 10; at++) {
      int taken = port.taken;
      SessionRequest.Builder many = SessionRequest.newBuilder().setKeepAliveNumber(at + 1);
      for (int i = 1; i <= 100; i++) {
        many.addOperations(lock(100 * at + i, "a".repeat(100)));
      }
      wide.onFrame(many.build(), now);
      wide.onFlush();
      wide.onDemand();
      assertEquals(taken + 1, port.taken);
    }
    assertEquals(10, port.keptAlive.size());
    assertTrue(port.waiting < 10_000, "waiting [%d]".formatted(port.waiting));
    assertEquals(0, port.unread);
    assertEquals(
        Reason.REASON_OVERLOADED, port.frames.remove().getAnswers(0).getRefused().getReason());
  }

  @Test
  void a_full_node_shortens_answers_and_ends_a_silent_client() {
    SessionStreamCore wide = port.core(/* maxOpen= */ 1_000);
    wide.onFrame(
        SessionRequest.newBuilder().setOpen(SessionOpen.getDefaultInstance()).build(), now);
    wide.onOpened(FakeSessionPort.opened(SESSION), now);
    SessionRequest.Builder many = SessionRequest.newBuilder();
    for (int i = 1; i <= 800; i++) {
      many.addOperations(lock(i, "a"));
    }
    wide.onFrame(many.build(), now);
    port.hasRoomForAnswers = false; // others read nothing, and nor does this client
    Holder holder =
        new Holder(
            HolderId.of(ClientId.NAMELESS, "anna"),
            new RequestHeader(new RequestId.Once(ClientId.NAMELESS, 1), ContentHash.ANY),
            new FencingToken(9),
            new Lifetime.Own(new Ttl(10_000)),
            1,
            Metadata.of(new byte[Metadata.MAX_BYTES]));
    Outcome held = new Outcome.Refused(new Refusal.Held(holder));
    for (LockMessage.Handle sent = port.sent.poll(); sent != null; sent = port.sent.poll()) {
      wide.onAnswer(new LockAnswer(sent.number(), new Revision(5), held, /* kept= */ true), now);
    }
    assertTrue(port.unread < 500_000, "unread [%d]".formatted(port.unread));
    wide.onTick(now);
    now += 20_000_000_000L;
    wide.onTick(now);
    assertFalse(wide.hasEnded());
    wide.onTick(now + 1);
    assertEquals(Reason.REASON_OVERLOADED, port.endedBy());
  }

  private static Answer.Builder large(long number) {
    return Answer.newBuilder()
        .setNumber(number)
        .setGetLock(
            GetLockResponse.newBuilder()
                .addWaiters(WaiterRecord.newBuilder().setHolderId("x".repeat(300_000))));
  }
}
