package io.holdfast.bench.floods;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.holdfast.bench.cluster.NodePlace;
import io.holdfast.v1.AdminServiceGrpc;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.Header;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.MemberListRequest;
import io.holdfast.v1.MemberRecord;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The numbers by which a node and its cluster go: every answer has them.
 *
 * @param others the other members
 */
record NodeIds(long cluster, long member, List<Long> others) {

  private static final long WITHIN_S = 5;

  static NodeIds of(NodePlace place) {
    ManagedChannel locks = channel(place, place.grpc());
    ManagedChannel admin = channel(place, place.admin());
    try {
      Header header =
          LockServiceGrpc.newBlockingStub(locks)
              .withDeadlineAfter(WITHIN_S, TimeUnit.SECONDS)
              .getLock(GetLockRequest.newBuilder().setKey("flood").build())
              .getHeader();
      List<Long> others =
          AdminServiceGrpc.newBlockingStub(admin)
              .withDeadlineAfter(WITHIN_S, TimeUnit.SECONDS)
              .memberList(MemberListRequest.getDefaultInstance())
              .getMembersList()
              .stream()
              .map(MemberRecord::getMemberId)
              .filter(member -> member != header.getMemberId())
              .toList();
      return new NodeIds(header.getClusterId(), header.getMemberId(), others);
    } finally {
      locks.shutdownNow();
      admin.shutdownNow();
    }
  }

  private static ManagedChannel channel(NodePlace place, int port) {
    return Grpc.newChannelBuilderForAddress(place.host(), port, InsecureChannelCredentials.create())
        .build();
  }
}
