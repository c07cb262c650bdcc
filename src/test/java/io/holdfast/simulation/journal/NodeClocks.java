package io.holdfast.simulation.journal;

import io.holdfast.coordination.member.Clocks;
import io.holdfast.simulation.raft.SimulatedClock;

/** The clocks of a member's machine, as its process reads them. */
record NodeClocks(SimulatedClock clock) implements Clocks {

  @Override
  public long monotonicMs() {
    return clock.nowMs();
  }

  @Override
  public long wallMs() {
    return clock.wallMs();
  }
}
