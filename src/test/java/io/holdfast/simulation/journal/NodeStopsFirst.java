package io.holdfast.simulation.journal;

import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.EndedSession;
import io.holdfast.simulation.Violation;

/** A session that expires is past its own validity, at its node. */
final class NodeStopsFirst implements JournalInvariant {

  private final JournalWorld world;

  NodeStopsFirst(JournalWorld world) {
    this.world = world;
  }

  @Override
  public void coordinated(CoordinationVerdict verdict) {
    for (EndedSession ended : verdict.ended()) {
      if (ended.cause() == EndedSession.Cause.EXPIRED) {
        for (NodeProcess process : world.processes()) {
          boolean isIts = process.session().equals(ended.session().id());
          if (isIts && process.isValid()) {
            throw new Violation("NodeStopsFirst", process + " is valid, and has expired");
          }
        }
      }
    }
  }
}
