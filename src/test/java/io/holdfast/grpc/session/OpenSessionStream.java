package io.holdfast.grpc.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.v1.Answer;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.Operation;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import io.holdfast.v1.UnlockRequest;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** A session stream that is open, with words for its frames. It has no clock, thread or actor. */
abstract class OpenSessionStream {

  static final LeaseLife SESSION = LeaseLife.of(new LeaseId(7), new Revision(3));
  static final Outcome ACQUIRED =
      new Outcome.Acquired(
          new FencingToken(9), new Lifetime.Own(new Ttl(10_000)), 1, Outcome.Manner.AT_ONCE);
  static final Outcome WAITING =
      new Outcome.Waiting(new RequestId.Numbered(new ClientId("c"), SESSION, 1), 2);
  static final Outcome LOCKED = new Outcome.Refused(new Refusal.QueueFull(1));

  final FakeSessionPort port = new FakeSessionPort();
  final SessionStreamCore core = port.core(/* maxOpen= */ 4);
  long now;

  @BeforeEach
  void open() {
    core.onDemand();
    core.onFrame(
        SessionRequest.newBuilder().setOpen(SessionOpen.getDefaultInstance()).build(), now);
    core.onOpened(FakeSessionPort.opened(SESSION), now);
    core.onFlush();
    assertTrue(port.frames.remove().hasOpened());
    assertEquals(1, port.taken);
    core.onDemand();
  }

  void frame(Operation... operations) {
    core.onFrame(SessionRequest.newBuilder().addAllOperations(List.of(operations)).build(), now);
  }

  static Operation lock(long number, String key) {
    return Operation.newBuilder()
        .setNumber(number)
        .setLock(LockRequest.newBuilder().setKey(key).setHolderId("h").setTimeoutMs(1_000))
        .build();
  }

  static Operation unlock(long number, String key, long token) {
    return Operation.newBuilder()
        .setNumber(number)
        .setUnlock(UnlockRequest.newBuilder().setKey(key).setFencingToken(token))
        .build();
  }

  void answer(long number, Outcome outcome, boolean kept) {
    core.onAnswer(new LockAnswer(number, new Revision(1), outcome, kept), now);
  }

  void pass(long millis) {
    now += millis * 1_000_000;
    core.onTick(now);
  }

  static boolean isCopy(LockMessage.Handle message) {
    return message.command() instanceof LockCommand.Acquire acquire && acquire.repeated();
  }

  static List<Long> numbers(SessionResponse frame) {
    return frame.getAnswersList().stream().map(Answer::getNumber).toList();
  }
}
