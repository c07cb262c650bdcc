package io.holdfast.coordination.akka;

import io.holdfast.coordination.state.SessionId;
import java.util.Set;

/** A node's view of Akka's links in a simulation, where a view is steady within a shorter time. */
public final class SimulatedView {

  private final SteadyView view = new SteadyView();
  private final long steadyMs;

  public SimulatedView(long steadyMs) {
    this.steadyMs = steadyMs;
  }

  /** As {@link SteadyView#isDue}. */
  public boolean isDue(Set<SessionId> now, Set<SessionId> said, long nowMs) {
    return view.isDue(now, said, nowMs * SteadyView.STEADY_MS / steadyMs);
  }
}
