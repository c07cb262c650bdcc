package io.holdfast.simulation.raft;

import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A proposal called applied is applied, at that index and after all that was committed when it was
 * made; one called certainly not applied never is.
 */
final class NothingAcknowledgedLost implements Invariant {

  private final CommittedLog committed;
  private final Map<Long, Long> madeAfter = new HashMap<>();
  private final Map<Long, Long> appliedAt = new HashMap<>();
  private final Set<Long> denied = new HashSet<>();

  NothingAcknowledgedLost(CommittedLog committed) {
    this.committed = committed;
  }

  @Override
  public void proposed(SimulatedMember member, long id) {
    madeAfter.put(id, committed.last());
  }

  @Override
  public void applied(SimulatedMember member, Entry entry) {
    if (entry.kind() == EntryKind.PROPOSAL) {
      long id = StateMachine.idOf(entry);
      appliedAt.put(id, entry.index());
      require(!denied.contains(id), () -> "proposal " + id + " was denied and is applied");
    }
  }

  @Override
  public void acknowledged(SimulatedMember member, long id, long index) {
    long at = appliedAt.getOrDefault(id, 0L);
    require(
        at == index, () -> "proposal " + id + " called applied at " + index + " stands at " + at);
    require(
        member.machine().index() >= index,
        () -> "proposal " + id + " at " + index + " is not applied at " + member + " yet");
    long after = madeAfter.getOrDefault(id, Long.MAX_VALUE);
    require(index > after, () -> "proposal " + id + " at " + index + " was made after " + after);
  }

  @Override
  public void denied(SimulatedMember member, long id) {
    denied.add(id);
    require(!appliedAt.containsKey(id), () -> "proposal " + id + " is applied and denied");
  }

  private static void require(boolean holds, Supplier<String> what) {
    if (!holds) {
      throw new Violation("NothingAcknowledgedLost", what.get());
    }
  }
}
