package holdfast.client;

import holdfast.v1.LockRequest;
import holdfast.v1.LockServiceGrpc;
import holdfast.v1.Reason;
import holdfast.v1.UnlockRequest;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Locks that are taken and released by single calls, outside of any session. */
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
    return calls
        .call(LockServiceGrpc.getTryLockMethod(), request, /* isRead= */ false)
        .thenApply(
            answer ->
                answer.getAcquired() && answer.getHeldNow()
                    ? OptionalLong.of(answer.getFencingToken())
                    : OptionalLong.empty());
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
