package holdfast.simulation.raft;

import holdfast.simulation.Violation;

/** Whoever takes office has everything that is committed. */
final class LeaderCompleteness implements Invariant {

  private final Record record;

  LeaderCompleteness(Record record) {
    this.record = record;
  }

  @Override
  public void elected(SimulatedMember member, long term) {
    if (!member.disk().memory().has(record.last(), record.lastTerm())) {
      throw new Violation(
          "LeaderCompleteness",
          member + " leads term " + term + " without " + record.lastTerm() + "/" + record.last());
    }
  }
}
