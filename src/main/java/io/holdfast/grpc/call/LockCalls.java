package io.holdfast.grpc.call;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.grpc.translate.RemainingTtls;
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

/**
 * Runs Lock and TryLock calls. A call is resent to its lock until it is answered or its client is
 * gone.
 */
public final class LockCalls {

  /** A waiting call is resent three times in its ttl, and at least each second. */
  private static final long ASKED_EACH_SECOND_MS = 3_000;

  /** The maximum of quota places of one call; shorter ttls are refused. */
  private static final long MOST_PLACES = 30;

  private final LockShards locks;
  private final LifetimeResolver lifetimes;
  private final RequestReader reader;
  private final AnswerWriter writer;
  private final RemainingTtls remaining;
  private final CallRunner calls;
  private final NodeQuotas quotas;

  public LockCalls(
      LockShards locks,
      LifetimeResolver lifetimes,
      RequestReader reader,
      AnswerWriter writer,
      RemainingTtls remaining,
      CallRunner calls,
      NodeQuotas quotas) {
    this.quotas = quotas;
    this.locks = locks;
    this.lifetimes = lifetimes;
    this.reader = reader;
    this.writer = writer;
    this.remaining = remaining;
    this.calls = calls;
  }

  /** One call, from its request to its end. */
  public final class LockCall {

    private record QueuedRequest(LockKey key, RequestId request) {}

    private final CompletableFuture<Void> clientGone = new CompletableFuture<>();
    private final AtomicReference<@Nullable QueuedRequest> place = new AtomicReference<>();
    private final CompletableFuture<LockResponse> answer;
    private final boolean mayWait;

    private LockCall(LockRequest request, ClientConnection caller) {
      mayWait = request.getTimeoutMs() > 0;
      answer = calls.answer(request, () -> counted(request, caller)).toCompletableFuture();
    }

    /**
     * Counts the call until it has certainly ended: its client waits no longer, and no release is
     * in progress.
     */
    private CompletionStage<LockResponse> counted(LockRequest request, ClientConnection caller) {
      int places = places(request);
      Quota.Full full = quotas.lockCalls().take(caller, places);
      if (full != null) {
        throw tooMany(full);
      }
      CompletableFuture<Void> over = new CompletableFuture<>();
      var unused = over.thenRun(() -> quotas.lockCalls().give(caller, places));
      try {
        LockKey key = RequestReader.key(request.getKey());
        return quotas
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
      return lifetimes
          .of(request)
          .thenCompose(
              life -> {
                LockCommand.Acquire acquire = reader.acquire(request, life);
                place.set(new QueuedRequest(key, acquire.request().id()));
                if (clientGone.isDone()) {
                  throw StatusMapping.error(Reason.REASON_CANCELLED, "the client waits no longer");
                }
                CompletionStage<LockAnswer> asked =
                    locks.handle(key, acquire, clientGone, () -> over.complete(null));
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

    /** True if it may wait in the queue, which costs no work. */
    public boolean mayWait() {
      return mayWait;
    }

    public CompletableFuture<LockResponse> answer() {
      return answer;
    }

    /**
     * Handles a broken connection: a request with an id keeps its place in the queue for its ttl.
     */
    public void onConnectionLost() {
      clientGone.complete(null);
    }

    /**
     * Handles a cancellation by the client: a waiting request leaves the queue. A grant is kept
     * until its lease ends, since another attempt of the client may have received it.
     */
    public void onCancelled() {
      onConnectionLost();
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

  public LockCall lock(LockRequest request, ClientConnection caller) {
    return new LockCall(request, caller);
  }

  /**
   * Returns the quota places of a call. A waiting call with a short ttl is resent more often, and
   * takes more places.
   */
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
                "[%d] Lock calls of the %s wait or are being cancelled, the maximum by holdfast.grpc.max-commands"
                    .formatted(full.most(), full.of()))
            .setMaximum(full.most()));
  }
}
