package io.holdfast.client;

import io.holdfast.v1.CancelRequest;
import io.holdfast.v1.CancelResponse;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.Reason;
import io.holdfast.v1.UnlockRequest;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Acquires and releases locks by unary calls, outside of any session. */
final class LockWrites {

  private final UnaryCalls calls;

  LockWrites(UnaryCalls calls) {
    this.calls = calls;
  }

  CompletableFuture<OptionalLong> take(String key, Duration ttl) {
    LockRequest request =
        LockRequest.newBuilder()
            .setKey(key)
            .setHolderId(UnaryCalls.freshId())
            .setTtlMs(ttl.toMillis())
            .setRequestId(UnaryCalls.freshId())
            .setClientId(calls.clientId())
            .build();
    UnaryCalls.Tried<LockResponse> tried =
        calls.attempt(LockServiceGrpc.getTryLockMethod(), request, /* isRead= */ false);
    CompletableFuture<OptionalLong> taken = new CompletableFuture<>();
    var unused =
        tried
            .result()
            .whenComplete(
                (answer, failure) -> {
                  if (failure != null) {
                    if (failure instanceof Indeterminate || tried.mayBeDecidedAgain()) {
                      var unusedCancel = cancel(request); // best effort: nobody waits for it
                    }
                    taken.completeExceptionally(failure);
                  } else if (answer.getAcquired() || !tried.mayBeDecidedAgain()) {
                    OptionalLong token = token(answer);
                    if (!taken.complete(token)) {
                      giveBack(key, token);
                    }
                  } else {
                    refuse(request, taken);
                  }
                });
    return taken;
  }

  /** Releases a grant that no caller has taken; best effort. */
  void giveBack(String key, OptionalLong token) {
    if (token.isPresent()) {
      var unused = unlock(key, token.getAsLong());
    }
  }

  private static OptionalLong token(LockResponse answer) {
    return answer.getAcquired() && answer.getHeldNow()
        ? OptionalLong.of(answer.getFencingToken())
        : OptionalLong.empty();
  }

  /** Reports that a request was not granted, once no other attempt of it can be granted. */
  private void refuse(LockRequest request, CompletableFuture<OptionalLong> taken) {
    var unused =
        cancel(request)
            .whenComplete(
                (cancelled, failure) -> {
                  if (failure == null) {
                    taken.complete(OptionalLong.empty());
                  } else {
                    taken.completeExceptionally(
                        new Indeterminate(
                            "lock [%s] was refused, and an attempt that went before could not be cancelled"
                                .formatted(request.getKey()),
                            failure));
                  }
                });
  }

  private CompletableFuture<CancelResponse> cancel(LockRequest request) {
    return calls.call(
        LockServiceGrpc.getCancelMethod(),
        CancelRequest.newBuilder()
            .setKey(request.getKey())
            .setLockRequestId(request.getRequestId())
            .setClientId(request.getClientId())
            .build(),
        /* isRead= */ false);
  }

  CompletableFuture<Boolean> unlock(String key, long fencingToken) {
    UnlockRequest request =
        UnlockRequest.newBuilder()
            .setKey(key)
            .setFencingToken(fencingToken)
            .setAll(true)
            .setRequestId(UnaryCalls.freshId())
            .setClientId(calls.clientId())
            .build();
    return calls
        .call(LockServiceGrpc.getUnlockMethod(), request, /* isRead= */ false)
        .handle(
            (answer, failure) -> {
              if (failure == null) {
                return answer.getReleased();
              } else if (failure instanceof RequestRefused refused
                  && refused.reason() == Reason.REASON_NOT_HOLDER) {
                return false;
              } else if (failure instanceof HoldfastException known) {
                throw known;
              }
              throw new IllegalStateException(failure);
            });
  }
}
