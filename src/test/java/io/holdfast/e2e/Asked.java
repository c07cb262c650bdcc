package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.UnlockRequest;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Requests of tests to a cluster, and readers of its answers. */
final class Asked {

  static final long LONG_TTL_MS = 600_000;
  static final long LONG_WAIT_MS = 300_000;

  private Asked() {}

  /** A lock for long, without waiting. */
  static LockRequest.Builder lock(String key, String holder) {
    return LockRequest.newBuilder().setKey(key).setHolderId(holder).setTtlMs(LONG_TTL_MS);
  }

  /** A lock for long that is waited for, under an id. */
  static LockRequest.Builder waiting(String key, String holder) {
    return lock(key, holder).setTimeoutMs(LONG_WAIT_MS).setRequestId("of " + holder);
  }

  /** A lock on a shared lease. */
  static LockRequest.Builder onLease(String key, String holder, long lease) {
    return LockRequest.newBuilder().setKey(key).setHolderId(holder).setLeaseId(lease);
  }

  static UnlockRequest unlock(String key, long token) {
    return UnlockRequest.newBuilder().setKey(key).setFencingToken(token).build();
  }

  /** The answer, within what a busy machine may take. */
  static <T> T answer(Future<T> future) {
    try {
      return future.get(ClusterUnderTest.WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** Why a call is refused. */
  static Refusal refusal(Runnable call) {
    return refusal(assertThrows(StatusRuntimeException.class, call::run));
  }

  /** Why a call is refused, by its reason alone. */
  static Reason reason(Runnable call) {
    return refusal(call).getReason();
  }

  static Refusal refusal(Throwable error) {
    if (!(error instanceof StatusRuntimeException) && !(error instanceof StatusException)) {
      throw new AssertionError("no status", error);
    }
    com.google.rpc.Status status = StatusProto.fromThrowable(error);
    if (status == null || status.getDetailsCount() != 1) {
      throw new AssertionError("no refusal", error);
    }
    Any detail = status.getDetails(0);
    try {
      Refusal refusal = detail.unpack(Refusal.class);
      if (refusal.getCode() != status.getCode()) {
        throw new AssertionError("two codes: " + refusal + " and " + status.getCode());
      }
      return refusal;
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }
}
