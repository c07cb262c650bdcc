package io.holdfast.coordination;

import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.state.ConfiguredMember;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;

/**
 * Coordination as a state machine over the replicated log: what the log has decided, as this node
 * has applied it.
 *
 * <p>Thread: the log's own, but {@link #read} may be called by any.
 */
public final class CoordinationMachine extends CoordinationReplica
    implements ConsensusLog.StateMachine {

  /**
   * A cluster that is not founded.
   *
   * @param writer a random number, this process's alone
   */
  public CoordinationMachine(long writer) {
    super(writer);
  }

  @Override
  public void apply(long index, long term, byte[] payload) {
    apply(index, payload);
  }

  @Override
  public void founded(long index, Formation formation) {
    applyUnwritten(
        index,
        new CoordinationCommand.Found(
            formation.clusterId(), formation.shards(), configured(formation.members())));
  }

  @Override
  public void configured(long index, List<Member> members) {
    applyUnwritten(index, new CoordinationCommand.Configure(configured(members)));
  }

  @Override
  public ConsensusLog.SnapshotSource snapshot() {
    byte[] bytes = stateBytes();
    return new ConsensusLog.SnapshotSource() {
      @Override
      public void writeTo(OutputStream out) throws IOException {
        out.write(bytes);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void leadershipChanged(Leadership leadership) {
    Follower told = follower();
    if (told != null) {
      told.leadershipChanged();
    }
  }

  @Override
  public void peerGone(MemberId peer) {
    Follower told = follower();
    if (told != null) {
      told.peerGone(new NodeId(peer.value()));
    }
  }

  private static List<ConfiguredMember> configured(List<Member> members) {
    return members.stream()
        .map(
            member ->
                new ConfiguredMember(
                    new NodeId(member.id().value()), member.address(), roles(member)))
        .toList();
  }

  private static Set<NodeRole> roles(Member member) {
    return Set.of(
        switch (member.kind()) {
          case VOTER -> NodeRole.VOTER;
          case WITNESS -> NodeRole.WITNESS;
          case LEARNER -> NodeRole.LEARNER;
        });
  }
}
