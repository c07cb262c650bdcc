package io.holdfast.simulation.raft;

import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.simulation.Violation;
import java.util.List;

/**
 * An entry that a leader commits is of its own term and on the disks of a quorum at that moment,
 * and no disk that has it ever gives it up for another entry.
 */
final class CommittedIsDurable implements Invariant {

  private final CommittedLog committed;
  private final RaftWorld world;

  CommittedIsDurable(CommittedLog committed, RaftWorld world) {
    this.committed = committed;
    this.world = world;
  }

  @Override
  public void committed(SimulatedMember member, long from, long to) {
    RaftCore core = member.core();
    if (core == null || !core.leadership().leads() || to < committed.last()) {
      return;
    }
    long term = committed.lastTerm();
    if (term != core.leadership().term()) {
      throw new Violation(
          "CommittedIsDurable", member + " committed " + term + "/" + to + " by counting it");
    }
    Configuration configuration = core.configuration();
    if (!isOnMost(configuration.members(), to, term)
        || (configuration.isJoint() && !isOnMost(configuration.outgoing(), to, term))) {
      throw new Violation(
          "CommittedIsDurable", member + " committed " + term + "/" + to + " before a quorum");
    }
  }

  @Override
  public void overwritten(SimulatedMember member, Entry entry) {
    if (committed.holds(entry) && !member.disk().durable().has(entry.index(), entry.term())) {
      throw new Violation("CommittedIsDurable", member + " gave up " + entry);
    }
  }

  private boolean isOnMost(List<Member> rows, long index, long term) {
    int voters = 0;
    int have = 0;
    for (Member row : rows) {
      if (row.votes()) {
        voters++;
        SimulatedMember member = world.member(row.id());
        have += member != null && member.disk().durable().has(index, term) ? 1 : 0;
      }
    }
    return have > voters / 2;
  }
}
