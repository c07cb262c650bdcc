package holdfast.grpc;

import holdfast.entity.LockShards;
import holdfast.lock.LockCommand;
import holdfast.lock.LockCommand.LeaveCause;
import holdfast.lock.LockKey;
import holdfast.lock.RequestId;
import holdfast.v1.LockRequest;
import holdfast.v1.LockResponse;
import holdfast.v1.Reason;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Asks for locks, for as long as somebody waits for the answer. */
final class LockCalls {

  private final LockShards locks;
  private final Lives lives;
  private final RequestReader reader;
  private final AnswerWriter writer;
  private final Remaining remaining;
  private final Calls calls;

  LockCalls(
      LockShards locks,
      Lives lives,
      RequestReader reader,
      AnswerWriter writer,
      Remaining remaining,
      Calls calls) {
    this.locks = locks;
    this.lives = lives;
    this.reader = reader;
    this.writer = writer;
    this.remaining = remaining;
    this.calls = calls;
  }

  /** One call, from its request on. */
  final class Call {

    private record Place(LockKey key, RequestId request) {}

    private final CompletableFuture<Void> nobodyWaits = new CompletableFuture<>();
    private final AtomicReference<@Nullable Place> place = new AtomicReference<>();
    private final CompletableFuture<LockResponse> answer;
    private final boolean mayWait;

    private Call(LockRequest request) {
      mayWait = request.getTimeoutMs() > 0;
      answer = calls.answer(request, () -> ask(request)).toCompletableFuture();
    }

    private CompletionStage<LockResponse> ask(LockRequest request) {
      LockKey key = RequestReader.key(request.getKey());
      return lives
          .of(request)
          .thenCompose(
              life -> {
                LockCommand.Acquire acquire = reader.acquire(request, life);
                place.set(new Place(key, acquire.request().id()));
                if (nobodyWaits.isDone()) {
                  throw StatusMapping.error(Reason.REASON_CANCELLED, "nobody waits any more");
                }
                return locks.handle(key, acquire, nobodyWaits);
              })
          .thenCompose(answered -> remaining.complete(key, writer.lock(key, answered)));
    }

    /** Whether it may stand in line for long, which is no work. */
    boolean mayWait() {
      return mayWait;
    }

    CompletableFuture<LockResponse> answer() {
      return answer;
    }

    /** Its connection broke: a request with an id keeps its place for its ttl. */
    void leftAlone() {
      nobodyWaits.complete(null);
    }

    /**
     * Its client gave it up: the request leaves the line, if it waits. What it was granted already
     * ends with its lease: another attempt may have been told.
     */
    void givenUp() {
      leftAlone();
      Optional.ofNullable(place.get())
          .filter(at -> at.request().isRepeatable()) // else it has been cancelled
          .ifPresent(
              at -> {
                var unused =
                    locks.handle(
                        at.key(), new LockCommand.Leave(at.request(), LeaveCause.CANCELLED));
              });
    }
  }

  Call lock(LockRequest request) {
    return new Call(request);
  }
}
