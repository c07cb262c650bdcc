package io.holdfast.bench.cluster;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.holdfast.v1.AdminServiceGrpc;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.MemberListRequest;
import io.holdfast.v1.Reason;
import io.holdfast.v1.TransferLeadershipRequest;
import io.holdfast.v1.UnlockRequest;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Requests to one node, each with a deadline of its own, and answers as they are. */
final class NodeClient implements AutoCloseable {

  /** The answer to a request. */
  sealed interface Answer {

    /** Held under the token: granted now, or found held by the asker. */
    record Held(long token) implements Answer {}

    /** Held by another, whose token is 0 if it was not told. */
    record Taken(long token) implements Answer {}

    /** Free, or released. */
    record Free() implements Answer {}

    /** The token is not held. */
    record NotHolder() implements Answer {}

    /** No answer, or one that says nothing of the lock. */
    record Failed(String why) implements Answer {}
  }

  private final ManagedChannel channel;

  NodeClient(NodePlace place) {
    channel =
        Grpc.newChannelBuilderForAddress(
                place.host(), place.grpc(), InsecureChannelCredentials.create())
            .build();
  }

  /** Tries to connect now, if it is not connected. */
  void connect() {
    channel.resetConnectBackoff();
    channel.getState(/* requestConnection= */ true);
  }

  Answer tryLock(String key, String holder, long ttlMs, long withinMs) {
    try {
      return read(stub(withinMs).tryLock(lockRequest(key, holder, ttlMs)));
    } catch (StatusRuntimeException e) {
      return failed(e);
    }
  }

  /** Has the member at this address lead the log; the node of this place has to lead it now. */
  static void letLead(NodePlace place, String logAddress) {
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress(
                place.host(), place.admin(), InsecureChannelCredentials.create())
            .build();
    try {
      letLead(
          AdminServiceGrpc.newBlockingStub(channel).withDeadlineAfter(10, TimeUnit.SECONDS),
          logAddress);
    } finally {
      channel.shutdownNow();
    }
  }

  private static void letLead(AdminServiceGrpc.AdminServiceBlockingStub admin, String logAddress) {
    long member =
        admin.memberList(MemberListRequest.getDefaultInstance()).getMembersList().stream()
            .filter(each -> each.getLogAddress().equals(logAddress))
            .findFirst()
            .orElseThrow()
            .getMemberId();
    var unused =
        admin.transferLeadership(
            TransferLeadershipRequest.newBuilder().setMemberId(member).build());
  }

  Answer unlock(String key, long token, long withinMs) {
    try {
      stub(withinMs).unlock(unlockRequest(key, token));
      return new Answer.Free();
    } catch (StatusRuntimeException e) {
      return failed(e);
    }
  }

  /** The holder of the lock, if there is one. */
  Answer get(String key, long withinMs) {
    try {
      return read(stub(withinMs).getLock(getRequest(key)));
    } catch (StatusRuntimeException e) {
      return failed(e);
    }
  }

  static LockRequest lockRequest(String key, String holder, long ttlMs) {
    return LockRequest.newBuilder()
        .setKey(key)
        .setHolderId(holder)
        .setTtlMs(ttlMs)
        .setRequestId(UUID.randomUUID().toString())
        .setClientId("bench")
        .build();
  }

  static UnlockRequest unlockRequest(String key, long token) {
    return UnlockRequest.newBuilder()
        .setKey(key)
        .setFencingToken(token)
        .setAll(true)
        .setRequestId(UUID.randomUUID().toString())
        .setClientId("bench")
        .build();
  }

  static GetLockRequest getRequest(String key) {
    return GetLockRequest.newBuilder().setKey(key).build();
  }

  static Answer read(LockResponse answer) {
    return answer.getAcquired() && answer.getHeldNow()
        ? new Answer.Held(answer.getFencingToken())
        : new Answer.Taken(answer.getHolder().getFencingToken());
  }

  static Answer read(GetLockResponse answer) {
    return answer.getLock().getHoldersCount() == 0
        ? new Answer.Free()
        : new Answer.Taken(answer.getLock().getHolders(0).getFencingToken());
  }

  static Answer failed(StatusRuntimeException failure) {
    com.google.rpc.Status details = StatusProto.fromThrowable(failure);
    boolean notHolder =
        details != null
            && details.getDetailsList().stream()
                .anyMatch(detail -> reason(detail) == Reason.REASON_NOT_HOLDER);
    return notHolder
        ? new Answer.NotHolder()
        : new Answer.Failed(String.valueOf(failure.getMessage()));
  }

  private static Reason reason(com.google.protobuf.Any detail) {
    try {
      return detail.unpack(io.holdfast.v1.Refusal.class).getReason();
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      return Reason.REASON_UNSPECIFIED;
    }
  }

  /** Calls with a deadline from now. */
  LockServiceGrpc.LockServiceBlockingStub stub(long withinMs) {
    return LockServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(withinMs, TimeUnit.MILLISECONDS);
  }

  /** As {@link #stub}, without waiting. */
  LockServiceGrpc.LockServiceStub async(long withinMs) {
    return LockServiceGrpc.newStub(channel).withDeadlineAfter(withinMs, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
