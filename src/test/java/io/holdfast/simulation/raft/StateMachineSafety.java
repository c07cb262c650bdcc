package io.holdfast.simulation.raft;

import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.simulation.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All members go through the same states, without gap or repetition, through committed entries
 * only, and a proposal is applied at one index only.
 */
final class StateMachineSafety implements Invariant {

  private final CommittedLog committed;
  private final List<Long> digests = new ArrayList<>(List.of(0L));
  private final Map<Long, Long> indexOf = new HashMap<>();

  StateMachineSafety(CommittedLog committed) {
    this.committed = committed;
  }

  @Override
  public void applied(SimulatedMember member, Entry entry) {
    if (!committed.holds(entry)) {
      throw new Violation("StateMachineSafety", member + " applied " + entry + " uncommitted");
    }
    long digest = member.machine().digest();
    if (entry.index() == digests.size()) {
      digests.add(digest);
    }
    check(member, entry.index(), digest);
    if (entry.kind() == EntryKind.PROPOSAL) {
      long id = StateMachine.idOf(entry);
      Long other = indexOf.putIfAbsent(id, entry.index());
      if (other != null && other != entry.index()) {
        throw new Violation(
            "StateMachineSafety",
            "proposal " + id + " is applied at " + other + " and " + entry.index());
      }
    }
  }

  @Override
  public void restored(SimulatedMember member, long index, long digest) {
    check(member, index, digest);
  }

  private void check(SimulatedMember member, long index, long digest) {
    if (index >= digests.size() || digests.get((int) index) != digest) {
      throw new Violation("StateMachineSafety", member + " has a state of its own at " + index);
    }
  }
}
