package io.holdfast.bench.locks;

import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.holdfast.v1.Answer;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.Operation;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionOpened;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One stream of a session to one node. What is asked for while a frame of answers is read goes out
 * in one frame after it; what does not fit into the connection waits for the next.
 */
final class SessionStream implements ClientResponseObserver<SessionRequest, SessionResponse> {

  /** The first frame that came. */
  record First(long member, SessionOpened opened) {}

  private final SessionDoor door;
  private final Map<Long, Door.Asker> asked = new HashMap<>();
  private final CompletableFuture<First> first = new CompletableFuture<>();
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private SessionRequest.Builder next = SessionRequest.newBuilder();
  private boolean isEmpty = true;
  private boolean isOpen;
  private @Nullable ClientCallStreamObserver<SessionRequest> call;

  SessionStream(SessionDoor door) {
    this.door = door;
  }

  /** Opens the stream. */
  synchronized CompletableFuture<First> open(ManagedChannel channel, SessionOpen open) {
    var unused = LockServiceGrpc.newStub(channel).session(this);
    started().onNext(SessionRequest.newBuilder().setOpen(open).build());
    isOpen = true;
    return first;
  }

  /** Completes when the stream is over; true if it ended in good order. */
  CompletableFuture<Boolean> ended() {
    return ended;
  }

  private ClientCallStreamObserver<SessionRequest> started() {
    if (call == null) {
      throw new IllegalStateException("the stream has not begun");
    }
    return call;
  }

  /** Takes this along with the next frame; false if the stream is over. */
  synchronized boolean ask(long number, Operation.Builder operation, Door.Asker asker) {
    if (!isOpen) {
      return false;
    }
    asked.put(number, asker);
    next.addOperations(operation.setNumber(number));
    isEmpty = false;
    return true;
  }

  synchronized void keepAlive(long number) {
    next.setKeepAliveNumber(number);
    isEmpty = false;
  }

  synchronized void closeSession() {
    next.setClose(true);
    isEmpty = false;
  }

  synchronized void flush() {
    if (!isEmpty && isOpen && started().isReady()) {
      started().onNext(next.setLowestOpenNumber(door.lowestOpen()).build());
      next = SessionRequest.newBuilder();
      isEmpty = true;
    }
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<SessionRequest> stream) {
    call = stream;
    stream.setOnReadyHandler(this::flush);
  }

  @Override
  public void onNext(SessionResponse frame) {
    if (frame.hasOpened()) {
      first.complete(new First(frame.getHeader().getMemberId(), frame.getOpened()));
    }
    frame.getOwnersList().forEach(door::hinted);
    for (Answer answer : frame.getAnswersList()) {
      boolean isLast = !answer.getLock().getQueued();
      Door.Asker asker = asker(answer.getNumber(), isLast);
      if (asker == null) {
        door.unexpected("a second answer to operation [" + answer.getNumber() + "]");
      } else {
        if (isLast) {
          door.finished(answer.getNumber());
        }
        tell(asker, answer);
      }
    }
    door.flush();
  }

  private synchronized Door.@Nullable Asker asker(long number, boolean isLast) {
    return isLast ? asked.remove(number) : asked.get(number);
  }

  private void tell(Door.Asker asker, Answer answer) {
    switch (answer.getAnswerCase()) {
      case LOCK -> {
        door.hinted(answer.getLock().getOwner());
        asker.onLock(answer.getLock());
      }
      case UNLOCK -> {
        door.hinted(answer.getUnlock().getOwner());
        asker.onUnlock(answer.getUnlock());
      }
      case REFUSED ->
          asker.onRefused(
              answer.getRefused().getReason() + ": " + answer.getRefused().getMessage());
      default -> door.unexpected("an answer of another kind: " + answer.getAnswerCase());
    }
  }

  @Override
  public void onError(Throwable failure) {
    first.completeExceptionally(failure);
    over("the stream has failed: " + failure + cause(failure));
    ended.complete(false);
  }

  /** gRPC says no more than that it failed when the reader of an answer throws. */
  private static String cause(Throwable failure) {
    return failure.getCause() == null ? "" : ", by " + failure.getCause();
  }

  @Override
  public void onCompleted() {
    over("the stream has ended");
    started().onCompleted();
    ended.complete(true);
  }

  private void over(String why) {
    Map<Long, Door.Asker> left;
    synchronized (this) {
      isOpen = false;
      left = Map.copyOf(asked);
      asked.clear();
    }
    left.values().forEach(asker -> asker.onRefused(why));
  }
}
