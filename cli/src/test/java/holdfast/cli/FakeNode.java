package holdfast.cli;

import com.google.protobuf.Any;
import holdfast.v1.Effect;
import holdfast.v1.GetLockRequest;
import holdfast.v1.GetLockResponse;
import holdfast.v1.Holder;
import holdfast.v1.LockRecord;
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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A node on loopback whose locks are held until they are released. Nobody waits, nothing expires.
 */
final class FakeNode implements AutoCloseable {

  private final Map<String, Holder> holders = new ConcurrentHashMap<>();
  private final AtomicLong tokens = new AtomicLong();
  private volatile boolean forgetful;
  private final Server server;
  private final String endpoint;

  FakeNode() {
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try {
      server =
          NettyServerBuilder.forAddress(loopback, InsecureServerCredentials.create())
              .addService(new Service())
              .build()
              .start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    endpoint = "127.0.0.1:" + server.getPort();
  }

  String endpoint() {
    return endpoint;
  }

  /** Holds a lock, for somebody else. */
  void hold(String key) {
    holders.put(key, holder("somebody", 60_000));
  }

  /** Forgets whom it has granted a lock to, as if it had started anew. */
  void forgetOnGrant() {
    forgetful = true;
  }

  boolean isHeld(String key) {
    return holders.containsKey(key);
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private Holder holder(String client, long ttlMillis) {
    return Holder.newBuilder()
        .setClientId(client)
        .setHolderId("h")
        .setFencingToken(tokens.incrementAndGet())
        .setGrantedTtlMs(ttlMillis)
        .build();
  }

  private static StatusRuntimeException refusal(Reason reason, Status.Code code) {
    Refusal refusal =
        Refusal.newBuilder()
            .setReason(reason)
            .setCode(code.value())
            .setEffect(Effect.EFFECT_NONE)
            .setMessage("refused [" + reason + "]")
            .build();
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder()
            .setCode(code.value())
            .addDetails(Any.pack(refusal))
            .build());
  }

  private final class Service extends LockServiceGrpc.LockServiceImplBase {

    @Override
    public void lock(LockRequest request, StreamObserver<LockResponse> answer) {
      if (request.getKey().isEmpty()) {
        answer.onError(refusal(Reason.REASON_KEY_INVALID, Status.Code.INVALID_ARGUMENT));
        return;
      }
      Holder asking = holder(request.getClientId(), request.getTtlMs());
      Holder before = holders.putIfAbsent(request.getKey(), asking);
      LockResponse.Builder response = LockResponse.newBuilder();
      if (before != null) {
        response.setReason(Reason.REASON_LOCKED).setHolder(before);
      } else {
        response
            .setAcquired(true)
            .setHeldNow(true)
            .setFencingToken(asking.getFencingToken())
            .setGrantedTtlMs(asking.getGrantedTtlMs());
      }
      if (forgetful) {
        holders.remove(request.getKey());
      }
      answer.onNext(response.build());
      answer.onCompleted();
    }

    @Override
    public void tryLock(LockRequest request, StreamObserver<LockResponse> answer) {
      lock(request, answer);
    }

    @Override
    public void unlock(UnlockRequest request, StreamObserver<UnlockResponse> answer) {
      Holder holder = holders.get(request.getKey());
      if (holder == null || holder.getFencingToken() != request.getFencingToken()) {
        answer.onError(refusal(Reason.REASON_NOT_HOLDER, Status.Code.FAILED_PRECONDITION));
        return;
      }
      holders.remove(request.getKey());
      answer.onNext(UnlockResponse.newBuilder().setReleased(true).build());
      answer.onCompleted();
    }

    @Override
    public void getLock(GetLockRequest request, StreamObserver<GetLockResponse> answer) {
      Holder holder = holders.get(request.getKey());
      GetLockResponse.Builder response = GetLockResponse.newBuilder();
      if (holder != null) {
        response.setLock(LockRecord.newBuilder().addHolders(holder)).setWaiterCount(2);
      }
      answer.onNext(response.build());
      answer.onCompleted();
    }
  }
}
