package io.holdfast.grpc.admin;

import io.holdfast.coordination.Administration.ClusterView;
import io.holdfast.coordination.Administration.MemberKind;
import io.holdfast.coordination.Administration.MemberView;
import io.holdfast.coordination.Administration.NodeLease;
import io.holdfast.v1.MemberRecord;
import io.holdfast.v1.MemberStanding;
import io.holdfast.v1.NodeSession;
import java.util.ArrayList;
import java.util.List;

/** Translates the members of the cluster into records of the contract. */
final class AdminWriter {

  private AdminWriter() {}

  static List<MemberRecord> members(ClusterView cluster) {
    return cluster.members().stream().map(AdminWriter::member).toList();
  }

  private static MemberRecord member(MemberView member) {
    MemberRecord.Builder record =
        MemberRecord.newBuilder()
            .setMemberId(member.id())
            .setStanding(standing(member.kind()))
            .setLogAddress(member.address())
            .setLeader(member.leads());
    member.lease().ifPresent(lease -> record.setSession(session(lease)));
    member.match().ifPresent(record::setMatchIndex);
    return record.build();
  }

  private static MemberStanding standing(MemberKind kind) {
    return switch (kind) {
      case VOTER -> MemberStanding.MEMBER_STANDING_VOTER;
      case LEARNER -> MemberStanding.MEMBER_STANDING_LEARNER;
      case WITNESS -> MemberStanding.MEMBER_STANDING_WITNESS;
    };
  }

  static NodeSession session(NodeLease lease) {
    return NodeSession.newBuilder()
        .setNodeId(lease.node())
        .setSessionId(lease.session())
        .setIncarnation(lease.incarnation())
        .setTtlMs(lease.ttlMs())
        .setJoined(lease.isJoined())
        .setClusterAddress(lease.akkaAddress())
        .setEndpoint(lease.endpoint())
        .setShardCount(lease.shards())
        .setUnreachableCount(lease.unreachable())
        .build();
  }

  /** Lists the problems that need an operator's attention. */
  static List<String> problems(ClusterView cluster, boolean isServing, int ownerless) {
    List<String> problems = new ArrayList<>();
    if (!isServing) {
      problems.add("this node takes no requests");
    }
    if (cluster.leader() == 0) {
      problems.add("the leader of the log is not known");
    }
    if (ownerless > 0) {
      problems.add("[%d] shards hold locks and have no owner".formatted(ownerless));
    }
    for (MemberView member : cluster.members()) {
      String name = Long.toHexString(member.id()) + " at " + member.address();
      boolean isThere = member.lease().map(NodeLease::isJoined).orElse(false);
      int unreachable = member.lease().map(NodeLease::unreachable).orElse(0);
      if (member.kind() == MemberKind.VOTER && !isThere) {
        problems.add("voter " + name + " is not in the cluster");
      }
      if (unreachable > 0) {
        problems.add("%s cannot reach [%d] other nodes".formatted(name, unreachable));
      }
    }
    problems.addAll(cluster.troubles());
    return problems;
  }
}
