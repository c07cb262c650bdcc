package io.holdfast.simulation.raft;

import io.holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.Map;

/** A read is answered from a state that has everything that was committed when it was asked. */
final class LinearizableReads implements Invariant {

  private final CommittedLog committed;
  private final Map<Long, Long> askedAfter = new HashMap<>();

  LinearizableReads(CommittedLog committed) {
    this.committed = committed;
  }

  @Override
  public void readAsked(SimulatedMember member, long id) {
    askedAfter.put(id, committed.last());
  }

  @Override
  public void readAnswered(SimulatedMember member, long id) {
    Long after = askedAfter.remove(id);
    if (after == null || member.machine().index() < after) {
      throw new Violation(
          "LinearizableReads",
          member + " answers at " + member.machine().index() + " a read asked after " + after);
    }
  }
}
