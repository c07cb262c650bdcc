package io.holdfast.grpc.call;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.Caller;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.grpc.translate.Remaining;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockCommand.LeaveCause;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestId;
import io.holdfast.sharding.LockShards;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.wire.LockAnswer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Asks for locks, for as long as somebody waits for the answer. */
public final class LockCalls {

  /** A call is asked three times in its ttl, and at least each second. */
  private static final long ASKED_EACH_SECOND_MS = 3_000;

  /** Shorter ttls are refused. */
  private static final long MOST_PLACES = 30;

  private final LockShards locks;
  private final Lives lives;
  private final RequestReader reader;
  private final AnswerWriter writer;
  private final Remaining remaining;
  private final Calls calls;
  private final Shares shares;

  public LockCalls(
      LockShards locks,
      Lives lives,
      RequestReader reader,
      AnswerWriter writer,
      Remaining remaining,
      Calls calls,
      Shares shares) {
    this.shares = shares;
    this.locks = locks;
    this.lives = lives;
    this.reader = reader;
    this.writer = writer;
    this.remaining = remaining;
    this.calls = calls;
  }

  /** One call, from its request on. */
  public final class Call {

    private record Place(LockKey key, RequestId request) {}

    private final CompletableFuture<Void> nobodyWaits = new CompletableFuture<>();
    private final AtomicReference<@Nullable Place> place = new AtomicReference<>();
    private final CompletableFuture<LockResponse> answer;
    private final boolean mayWait;

    private Call(LockRequest request, Caller caller) {
      mayWait = request.getTimeoutMs() > 0;
      answer = calls.answer(request, () -> counted(request, caller)).toCompletableFuture();
    }

    /** It counts until nothing of it is under way: nobody waits, and nothing is given back. */
    private CompletionStage<LockResponse> counted(LockRequest request, Caller caller) {
      int places = places(request);
      Quota.Full full = shares.lockCalls().take(caller, places);
      if (full != null) {
        throw tooMany(full);
      }
      CompletableFuture<Void> over = new CompletableFuture<>();
      var unused = over.thenRun(() -> shares.lockCalls().give(caller, places));
      try {
        LockKey key = RequestReader.key(request.getKey());
        return shares
            .requests()
            .run(
                caller,
                locks.shard(key),
                request.getRequestId(),
                LockResponse::getRepeated,
                () -> ask(key, request, over));
      } catch (RuntimeException e) {
        over.complete(null);
        throw e;
      }
    }

    private CompletionStage<LockResponse> ask(
        LockKey key, LockRequest request, CompletableFuture<Void> over) {
      AtomicBoolean isAsked = new AtomicBoolean();
      return lives
          .of(request)
          .thenCompose(
              life -> {
                LockCommand.Acquire acquire = reader.acquire(request, life);
                place.set(new Place(key, acquire.request().id()));
                if (nobodyWaits.isDone()) {
                  throw StatusMapping.error(Reason.REASON_CANCELLED, "nobody waits any more");
                }
                CompletionStage<LockAnswer> asked =
                    locks.handle(key, acquire, nobodyWaits, () -> over.complete(null));
                isAsked.set(true);
                return asked;
              })
          .whenComplete(
              (answered, failure) -> {
                if (!isAsked.get()) {
                  over.complete(null);
                }
              })
          .thenCompose(answered -> remaining.complete(key, writer.lock(key, answered)));
    }

    /** Whether it may stand in line for long, which is no work. */
    public boolean mayWait() {
      return mayWait;
    }

    public CompletableFuture<LockResponse> answer() {
      return answer;
    }

    /** Its connection broke: a request with an id keeps its place for its ttl. */
    public void leftAlone() {
      nobodyWaits.complete(null);
    }

    /**
     * Its client gave it up: the request leaves the line, if it waits. What it was granted already
     * ends with its lease: another attempt may have been told.
     */
    public void givenUp() {
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

  public Call lock(LockRequest request, Caller caller) {
    return new Call(request, caller);
  }

  /** One that is asked more often than each second, to live, has so many more places. */
  static int places(LockRequest request) {
    long ttl = request.getTtlMs();
    return request.getTimeoutMs() > 0 && ttl > 0 && ttl < ASKED_EACH_SECOND_MS
        ? (int) Math.min(MOST_PLACES, (ASKED_EACH_SECOND_MS + ttl - 1) / ttl)
        : 1;
  }

  private static StatusRuntimeException tooMany(Quota.Full full) {
    return StatusMapping.error(
        Refusal.newBuilder()
            .setReason(Reason.REASON_OVERLOADED)
            .setMessage(
                "[%d] calls for locks of the %s wait or are given back, the maximum by holdfast.grpc.max-commands"
                    .formatted(full.most(), full.of()))
            .setMaximum(full.most()));
  }
}
