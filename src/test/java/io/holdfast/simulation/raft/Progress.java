package io.holdfast.simulation.raft;

import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.RaftCore;
import java.nio.ByteBuffer;

/** After healing, a leader takes a proposal and everyone in the cluster gets to where it is. */
final class Progress {

  private static final long PROBE = 1L << 40;

  private final RaftWorld world;
  private long probes;
  private String lack = "nothing tried";

  Progress(RaftWorld world) {
    this.world = world;
  }

  boolean isMade() {
    SimulatedMember leader = world.leader();
    if (leader == null) {
      return lacks("no leader");
    }
    RaftCore core = leader.core();
    if (core == null || core.configuration().isWitness(leader.id())) {
      return lacks(leader + " leads, a witness");
    }
    if (probes == 0 || leader.machine().index() < probeFrom) {
      probe(leader);
      return lacks("no entry applied at " + leader);
    }
    Configuration configuration = core.configuration();
    long last = leader.disk().memory().lastIndex();
    if (configuration.isJoint()) {
      return lacks("joint " + configuration);
    }
    for (Member row : configuration.members()) {
      SimulatedMember member = world.member(row.id());
      if (member == null || !member.isUp()) {
        return lacks(row + " is down");
      }
      RaftCore other = member.core();
      if (other == null || other.commit() < last) {
        return lacks(row + " has not committed " + last);
      }
      if (!row.isWitness() && member.machine().index() < last) {
        return lacks(row + " has not applied " + last);
      }
    }
    return true;
  }

  private long probeFrom = Long.MAX_VALUE;

  private void probe(SimulatedMember leader) {
    probes++;
    long id = PROBE + probes;
    leader.input(
        core -> {
          world.tell(each -> each.proposed(leader, id));
          core.propose(id, ByteBuffer.allocate(8).putLong(id).array());
        });
    probeFrom = Math.min(probeFrom, leader.disk().memory().lastIndex());
  }

  private boolean lacks(String what) {
    lack = what;
    return false;
  }

  String lack() {
    return lack;
  }
}
