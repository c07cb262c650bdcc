package io.holdfast.coordination.hosting;

import akka.cluster.Cluster;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import io.holdfast.coordination.NodeCoordination;
import io.holdfast.coordination.akka.AkkaCoordination;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.coordination.state.Session;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.core.MemberId;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the leader of the log away from the oldest node that runs shards, which coordinates them:
 * so the end of one process ends only one of the two. Used by one actor.
 */
final class LeaderPlace {

  private static final Logger log = LoggerFactory.getLogger(LeaderPlace.class);

  /** The time for which the leader must be at the oldest node before leadership is transferred. */
  private static final long STEADY_MS = 2_000;

  private final Cluster cluster;
  private final NodeCoordination coordination;
  private final GrowingPause pause = new GrowingPause(10_000, 640_000);
  private long sinceMs = Long.MAX_VALUE;

  LeaderPlace(Cluster cluster, NodeCoordination coordination) {
    this.cluster = cluster;
    this.coordination = coordination;
  }

  void look(long nowMs) {
    ConsensusLog running = coordination.log();
    if (running == null || !running.leadership().leads() || !isOldest()) {
      sinceMs = Long.MAX_VALUE;
    } else if (sinceMs == Long.MAX_VALUE) {
      sinceMs = nowMs;
    } else if (nowMs - sinceMs >= STEADY_MS && pause.isOver(nowMs)) {
      // A failed transfer stops all writes for a moment. A transfer does not help where leadership
      // keeps coming back, as it does to the only node that is fast enough.
      pause.begin(nowMs);
      successor(new NodeId(running.self().value()))
          .ifPresent(next -> transferLeadership(running, next));
    }
  }

  private static void transferLeadership(ConsensusLog running, NodeId next) {
    log.info("lets {} lead the log: this node coordinates the shards", next);
    var unused = running.transferLeadership(new MemberId(next.value()));
  }

  private Optional<NodeId> successor(NodeId self) {
    return coordination.read(
        state ->
            state.members().stream()
                .filter(member -> member.roles().contains(NodeRole.VOTER))
                .map(member -> member.id())
                .filter(id -> !id.equals(self))
                .filter(
                    id ->
                        state.sessions().stream()
                            .filter(Session::isJoined)
                            .anyMatch(session -> session.member().equals(id)))
                .findFirst());
  }

  private boolean isOldest() {
    Member self = cluster.selfMember();
    if (!self.status().equals(MemberStatus.up()) || !self.hasRole(AkkaCoordination.HOST_ROLE)) {
      return false;
    }
    for (Member member : cluster.state().getMembers()) {
      boolean mayCoordinate =
          member.status().equals(MemberStatus.up()) && member.hasRole(AkkaCoordination.HOST_ROLE);
      if (mayCoordinate && member.isOlderThan(self)) {
        return false;
      }
    }
    return true;
  }
}
