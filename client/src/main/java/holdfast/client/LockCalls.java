package holdfast.client;

import holdfast.v1.GetLockRequest;
import holdfast.v1.GetLockResponse;
import holdfast.v1.LockRequest;
import holdfast.v1.LockResponse;
import holdfast.v1.LockServiceGrpc;
import holdfast.v1.Reason;
import holdfast.v1.UnlockRequest;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * The calls of one client. Each has a deadline, and fails with a {@link HoldfastException} only.
 * Nothing is sent twice.
 */
final class LockCalls {

  /** How long a call may take beyond the time it waits in line. */
  static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  private final Channel prompt;
  private final Channel inLine;
  private final LongSupplier nanoClock;
  private final String clientId = freshId();

  LockCalls(Channel prompt, Channel inLine, LongSupplier nanoClock) {
    this.prompt = prompt;
    this.inLine = inLine;
    this.nanoClock = nanoClock;
  }

  LongSupplier nanoClock() {
    return nanoClock;
  }

  /** A request by a holder; to ask again for what it holds is a renewal. */
  LockRequest.Builder lockRequest(String key, Duration ttl, String holderId) {
    return LockRequest.newBuilder()
        .setKey(key)
        .setHolderId(holderId)
        .setTtlMs(ttl.toMillis())
        .setRequestId(freshId())
        .setClientId(clientId);
  }

  UnlockRequest unlockRequest(String key, long fencingToken) {
    return UnlockRequest.newBuilder()
        .setKey(key)
        .setFencingToken(fencingToken)
        .setAll(true)
        .setRequestId(freshId())
        .setClientId(clientId)
        .build();
  }

  CompletableFuture<LockResponse> lock(LockRequest request) {
    return request.getTimeoutMs() == 0
        ? call(LockServiceGrpc.getTryLockMethod(), request, Duration.ZERO, false)
        : call(
            LockServiceGrpc.getLockMethod(),
            request,
            Duration.ofMillis(request.getTimeoutMs()),
            false);
  }

  /** Releases a grant; false if the token is not held. */
  CompletableFuture<Boolean> unlock(UnlockRequest request) {
    CompletableFuture<Boolean> released = new CompletableFuture<>();
    var unused =
        call(LockServiceGrpc.getUnlockMethod(), request, Duration.ZERO, false)
            .whenComplete(
                (answer, failure) -> {
                  if (failure == null) {
                    released.complete(answer.getReleased());
                  } else if (failure instanceof RequestRefused refused
                      && refused.reason() == Reason.REASON_NOT_HOLDER) {
                    released.complete(false);
                  } else {
                    released.completeExceptionally(failure);
                  }
                });
    return released;
  }

  CompletableFuture<GetLockResponse> getLock(String key) {
    GetLockRequest request = GetLockRequest.newBuilder().setKey(key).build();
    return call(LockServiceGrpc.getGetLockMethod(), request, Duration.ZERO, true);
  }

  private <Q, A> CompletableFuture<A> call(
      MethodDescriptor<Q, A> method, Q request, Duration waits, boolean reads) {
    Sent sent = new Sent();
    CallOptions options =
        CallOptions.DEFAULT
            .withDeadlineAfter(waits.plus(ANSWER_WITHIN).toNanos(), TimeUnit.NANOSECONDS)
            .withStreamTracerFactory(sent);
    CompletableFuture<A> answer = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(
        (waits.isZero() ? prompt : inLine).newCall(method, options),
        request,
        new StreamObserver<A>() {
          @Override
          public void onNext(A value) {
            answer.complete(value);
          }

          @Override
          public void onError(Throwable failure) {
            answer.completeExceptionally(
                FailureReader.read(failure, /* harmless= */ reads || !sent.maybe()));
          }

          @Override
          public void onCompleted() {
            if (!answer.isDone()) {
              onError(Status.INTERNAL.withDescription("an end without an answer").asException());
            }
          }
        });
    return answer;
  }

  static String freshId() {
    return UUID.randomUUID().toString();
  }

  /** Sees whether a call ever got as far as a connection, and so may have reached a node. */
  private static final class Sent extends ClientStreamTracer.Factory {

    private final AtomicBoolean maybe = new AtomicBoolean();

    boolean maybe() {
      return maybe.get();
    }

    @Override
    public ClientStreamTracer newClientStreamTracer(
        ClientStreamTracer.StreamInfo info, Metadata headers) {
      return new ClientStreamTracer() {
        @Override
        public void streamCreated(Attributes transport, Metadata headers) {
          maybe.set(true);
        }
      };
    }
  }
}
