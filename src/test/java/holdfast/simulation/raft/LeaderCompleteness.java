package holdfast.simulation.raft;

import holdfast.simulation.Violation;

/** Whoever takes office has everything that is committed. */
final class LeaderCompleteness implements Invariant {

  private final CommittedLog committed;

  LeaderCompleteness(CommittedLog committed) {
    this.committed = committed;
  }

  @Override
  public void elected(SimulatedMember member, long term) {
    if (!member.disk().memory().has(committed.last(), committed.lastTerm())) {
      throw new Violation(
          "LeaderCompleteness",
          member
              + " leads term "
              + term
              + " without "
              + committed.lastTerm()
              + "/"
              + committed.last());
    }
  }
}
