package io.holdfast.bench.locks;

import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import io.holdfast.bench.cluster.NodePlace;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.UnlockRequest;
import io.holdfast.v1.UnlockResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A call for each thing that is asked for, each under a request id. */
final class CallDoor implements Door {

  private static final long TTL_MS = 60_000;

  /** A shard keeps the outcomes of 1,024 requests of one client for two minutes, no more. */
  private static final long REQUESTS_OF_CLIENT = 10_000;

  private final List<ManagedChannel> channels;
  private final List<LockServiceGrpc.LockServiceStub> stubs;
  private final String run = Long.toString(System.nanoTime(), Character.MAX_RADIX);
  private final AtomicLong requests = new AtomicLong();

  CallDoor(List<NodePlace> places) {
    channels = places.stream().map(Channels::to).toList();
    stubs = channels.stream().map(LockServiceGrpc::newStub).toList();
  }

  @Override
  public void lock(String key, int seat, long timeoutMs, Asker asker) {
    stub(seat)
        .lock(
            LockRequest.newBuilder()
                .setKey(key)
                .setHolderId(Channels.holder(seat))
                .setTtlMs(TTL_MS)
                .setTimeoutMs(timeoutMs)
                .setClientId(client(seat))
                .setRequestId(request())
                .build(),
            new Call<LockResponse>(asker::onLock, asker));
  }

  @Override
  public void unlock(String key, int seat, long token, Asker asker) {
    stub(seat)
        .unlock(
            UnlockRequest.newBuilder()
                .setKey(key)
                .setFencingToken(token)
                .setClientId(client(seat))
                .setRequestId(request())
                .build(),
            new Call<UnlockResponse>(asker::onUnlock, asker));
  }

  private LockServiceGrpc.LockServiceStub stub(int seat) {
    return stubs.get(seat % stubs.size());
  }

  private String client(int seat) {
    return "bench-" + run + "-" + requests.get() / REQUESTS_OF_CLIENT + "-" + seat;
  }

  private String request() {
    return Long.toString(requests.incrementAndGet(), Character.MAX_RADIX);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
  }

  private record Call<T>(Consumer<T> answered, Asker asker) implements StreamObserver<T> {

    @Override
    public void onNext(T answer) {
      answered.accept(answer);
    }

    @Override
    public void onError(Throwable failure) {
      asker.onRefused(String.valueOf(failure.getMessage()));
    }

    @Override
    public void onCompleted() {}
  }
}
