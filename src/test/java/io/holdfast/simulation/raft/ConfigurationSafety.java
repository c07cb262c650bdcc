package io.holdfast.simulation.raft;

import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.simulation.Violation;
import java.util.Set;
import java.util.stream.Collectors;

/** Votes change only through a joint configuration, and one change at a time. */
final class ConfigurationSafety implements Invariant {

  @Override
  public void reconfigured(SimulatedMember member, Configuration before, Configuration after) {
    boolean follows =
        before.isJoint()
            ? after.equals(before.settled())
            : voters(before).equals(voters(after)) || after.outgoing().equals(before.voters());
    if (!follows) {
      throw new Violation("ConfigurationSafety", after + " follows " + before);
    }
    RaftCore core = member.core();
    if (core == null || !member.isCommittedConfiguration()) {
      throw new Violation("ConfigurationSafety", after + " follows uncommitted " + before);
    }
  }

  private static Set<MemberId> voters(Configuration configuration) {
    return configuration.voters().stream().map(Member::id).collect(Collectors.toSet());
  }
}
