package io.holdfast.simulation.raft;

import io.holdfast.simulation.Violation;

/**
 * A new leader has everything that was committed in terms before its own. It may be late: votes
 * that were long under way can make a leader of a term that is already over.
 */
final class LeaderCompleteness implements Invariant {

  private final CommittedLog committed;

  LeaderCompleteness(CommittedLog committed) {
    this.committed = committed;
  }

  @Override
  public void elected(SimulatedMember member, long term) {
    long index = committed.lastBefore(term);
    long committedTerm = committed.termAt(index);
    if (!member.disk().memory().has(index, committedTerm)) {
      throw new Violation(
          "LeaderCompleteness",
          member + " leads term " + term + " without " + committedTerm + "/" + index);
    }
  }
}
