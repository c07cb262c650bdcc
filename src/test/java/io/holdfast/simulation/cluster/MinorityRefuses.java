package io.holdfast.simulation.cluster;

import io.holdfast.simulation.Violation;
import io.holdfast.simulation.journal.NodeProcess;
import io.holdfast.wire.Renewal;

/** I10: only a node whose session is valid says that something lives on, or what is true now. */
final class MinorityRefuses implements ClusterInvariant {

  @Override
  public void kept(NodeProcess by, Renewal renewal, long ageMs, Renewal.Answer answer) {
    if (!by.isValid()) {
      throw new Violation("I10 MinorityRefuses", by + " says that " + renewal + " lives");
    }
  }
}
