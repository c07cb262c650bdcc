package io.holdfast.simulation.coordination;

import io.holdfast.coordination.node.SessionClock;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.simulation.Violation;
import java.util.List;

/** A Raft member's copy of the state, which lags behind the log, and its sightings of renewals. */
final class SimulatedReplica {

  private final SimulatedClock clock;
  private final SessionClock sightings = new SessionClock();
  private CoordinationState state;
  private boolean leads;

  /** Begins from a snapshot. */
  SimulatedReplica(SimulatedClock clock, byte[] snapshot) {
    this.clock = clock;
    state = CoordinationState.readFrom(snapshot);
    sightings.restored(state.sessions(), clock.monotonicMs());
  }

  CoordinationState state() {
    return state;
  }

  /** Applies an entry, with the verdict that it has everywhere. */
  void apply(long index, CoordinationCommand command, CoordinationVerdict wanted) {
    if (index > state.appliedIndex()) {
      CoordinationVerdict verdict = state.apply(index, command);
      if (!verdict.equals(wanted)) {
        throw new Violation("SameState", command + ": " + verdict + ", elsewhere " + wanted);
      }
      sightings.applied(verdict, clock.monotonicMs());
    }
  }

  /** Catches up by a snapshot of another. */
  void install(byte[] snapshot) {
    state = CoordinationState.readFrom(snapshot);
    sightings.restored(state.sessions(), clock.monotonicMs());
  }

  void leads(boolean now) {
    leads = now;
  }

  /**
   * The proposals that it makes as a leader, or as one that does not know that it is none any more.
   */
  List<CoordinationCommand.ExpireSession> due() {
    return leads ? sightings.due(clock.monotonicMs()) : List.of();
  }
}
