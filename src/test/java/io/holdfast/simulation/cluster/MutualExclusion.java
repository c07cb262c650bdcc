package io.holdfast.simulation.cluster;

import io.holdfast.lock.Holder;
import io.holdfast.simulation.Violation;

/** I1: whoever is granted a lock finds it free, and a hand-over takes it from its holder. */
final class MutualExclusion implements ClusterInvariant {

  @Override
  public void happened(Step step) {
    Holder holder = step.before().holder();
    boolean takes = step.endedToken() != 0;
    if (step.granted().isPresent() && !takes) {
      require(holder == null, step);
    } else if (takes) {
      require(step.before().isHeldBy(step.endedToken()), step);
    }
  }

  private static void require(boolean holds, Step step) {
    if (!holds) {
      throw new Violation("I1 MutualExclusion", step.event() + " with " + step.before());
    }
  }
}
