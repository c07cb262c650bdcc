package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.Answer;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.Operation;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionOpened;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import io.holdfast.v1.UnlockRequest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A client's stream of a session, and all that came on it. */
final class SessionUnderTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);

  private final List<SessionResponse> frames = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable Status> ended = new AtomicReference<>();
  private final StreamObserver<SessionRequest> requests;

  private SessionUnderTest(ManagedChannel channel, SessionRequest first) {
    requests =
        LockServiceGrpc.newStub(channel)
            .session(
                new StreamObserver<>() {
                  @Override
                  public void onNext(SessionResponse frame) {
                    frames.add(frame);
                  }

                  @Override
                  public void onError(Throwable failure) {
                    ended.set(Status.fromThrowable(failure));
                  }

                  @Override
                  public void onCompleted() {
                    ended.set(Status.OK);
                  }
                });
    requests.onNext(first);
  }

  static SessionUnderTest opening(ManagedChannel channel, SessionOpen open) {
    return new SessionUnderTest(channel, SessionRequest.newBuilder().setOpen(open).build());
  }

  static SessionUnderTest opening(ManagedChannel channel, SessionRequest first) {
    return new SessionUnderTest(channel, first);
  }

  SessionOpened opened() {
    return eventually("the session is open", WITHIN, () -> frames, all -> !all.isEmpty())
        .get(0)
        .getOpened();
  }

  void send(SessionRequest frame) {
    requests.onNext(frame);
  }

  void send(Operation... operations) {
    send(SessionRequest.newBuilder().addAllOperations(List.of(operations)).build());
  }

  void cancel() {
    requests.onError(Status.CANCELLED.asRuntimeException());
  }

  void halfClose() {
    requests.onCompleted();
  }

  /** The final answer to an operation. */
  Answer answer(long number) {
    return eventually(
            "an answer to " + number,
            WITHIN,
            () -> answers(number).findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  /** The word that an operation waits. */
  Answer queued(long number) {
    return eventually(
            "a place in the queue for " + number,
            WITHIN,
            () ->
                frames.stream()
                    .flatMap(frame -> frame.getAnswersList().stream())
                    .filter(each -> each.getNumber() == number && each.getLock().getQueued())
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  /** All final answers to an operation; more than one if it was sent more often. */
  Stream<Answer> answers(long number) {
    return frames.stream()
        .flatMap(frame -> frame.getAnswersList().stream())
        .filter(answer -> answer.getNumber() == number)
        .filter(answer -> !answer.getLock().getQueued());
  }

  /** The number of final answers to an operation. */
  long count(long number) {
    return answers(number).count();
  }

  List<SessionResponse> frames() {
    return frames;
  }

  boolean isEnded() {
    return ended.get() != null;
  }

  /** The end of the stream. */
  Status ended() {
    return Objects.requireNonNull(
        eventually("the end of the stream", WITHIN, ended::get, Objects::nonNull));
  }

  static Operation lock(long number, String key, String holder, long timeoutMs) {
    return Operation.newBuilder()
        .setNumber(number)
        .setLock(LockRequest.newBuilder().setKey(key).setHolderId(holder).setTimeoutMs(timeoutMs))
        .build();
  }

  static Operation unlock(long number, String key, long token) {
    return Operation.newBuilder()
        .setNumber(number)
        .setUnlock(UnlockRequest.newBuilder().setKey(key).setFencingToken(token))
        .build();
  }
}
