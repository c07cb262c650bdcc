package holdfast.client;

import com.google.protobuf.Any;
import holdfast.v1.Effect;
import holdfast.v1.GetLockRequest;
import holdfast.v1.GetLockResponse;
import holdfast.v1.LockRequest;
import holdfast.v1.LockResponse;
import holdfast.v1.LockServiceGrpc;
import holdfast.v1.Reason;
import holdfast.v1.Refusal;
import holdfast.v1.UnlockRequest;
import holdfast.v1.UnlockResponse;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A node on a port of its own that answers as it is told, keeps what it was asked, and no time. */
final class FakeNode implements AutoCloseable {

  /** The client's clock. It stands still unless a test moves it. */
  final AtomicLong nanos =
      new AtomicLong(Long.MAX_VALUE - 1_000); // overflows soon: it must not matter

  final BlockingQueue<LockRequest> locks = new LinkedBlockingQueue<>();
  final BlockingQueue<UnlockRequest> unlocks = new LinkedBlockingQueue<>();
  volatile Function<LockRequest, LockResponse> onLock = request -> granted(request, 1);
  volatile Function<UnlockRequest, UnlockResponse> onUnlock =
      request -> UnlockResponse.newBuilder().setReleased(true).build();
  volatile Function<GetLockRequest, GetLockResponse> onGet =
      request -> GetLockResponse.getDefaultInstance();

  private final Server server;

  FakeNode() {
    try {
      server =
          NettyServerBuilder.forAddress(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                  InsecureServerCredentials.create())
              .addService(new Service())
              .build()
              .start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  String endpoint() {
    return "127.0.0.1:" + server.getPort();
  }

  HoldfastClient client() {
    return new HoldfastClient(
        HoldfastClient.channel(endpoint()), HoldfastClient.channel(endpoint()), nanos::get);
  }

  void passMillis(long millis) {
    nanos.addAndGet(millis * 1_000_000);
  }

  static LockResponse granted(LockRequest request, long token) {
    return LockResponse.newBuilder()
        .setAcquired(true)
        .setHeldNow(true)
        .setFencingToken(token)
        .setGrantedTtlMs(request.getTtlMs())
        .setWaited(request.getTimeoutMs() > 0)
        .build();
  }

  static LockResponse notAcquired(Reason reason) {
    return LockResponse.newBuilder().setReason(reason).build();
  }

  static StatusRuntimeException refusal(Reason reason, Status.Code code, Effect effect) {
    Refusal refusal =
        Refusal.newBuilder()
            .setReason(reason)
            .setCode(code.value())
            .setEffect(effect)
            .setMessage("refused [" + reason + "]")
            .build();
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder()
            .setCode(code.value())
            .addDetails(Any.pack(refusal))
            .build());
  }

  /** Ends at once, and breaks every connection. */
  @Override
  public void close() {
    try {
      server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private final class Service extends LockServiceGrpc.LockServiceImplBase {

    @Override
    public void lock(LockRequest request, StreamObserver<LockResponse> answer) {
      locks.add(request);
      answer(answer, request, onLock);
    }

    @Override
    public void tryLock(LockRequest request, StreamObserver<LockResponse> answer) {
      lock(request, answer);
    }

    @Override
    public void unlock(UnlockRequest request, StreamObserver<UnlockResponse> answer) {
      unlocks.add(request);
      answer(answer, request, onUnlock);
    }

    @Override
    public void getLock(GetLockRequest request, StreamObserver<GetLockResponse> answer) {
      answer(answer, request, onGet);
    }

    private <Q, A> void answer(StreamObserver<A> answer, Q request, Function<Q, A> with) {
      try {
        answer.onNext(with.apply(request));
        answer.onCompleted();
      } catch (StatusRuntimeException e) {
        answer.onError(e);
      }
    }
  }
}
