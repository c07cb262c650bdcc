package io.holdfast.simulation.cluster;

import io.holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** I2: a key's tokens rise for ever. */
final class TokenMonotonic implements ClusterInvariant {

  private final Map<String, Long> newest = new HashMap<>();
  private final Set<Long> granted = new HashSet<>();

  @Override
  public void happened(Step step) {
    step.granted().ifPresent(holder -> granted(step, holder.token().value()));
  }

  private void granted(Step step, long token) {
    Long before = newest.put(step.key(), token);
    if ((before != null && before >= token) || !granted.add(token)) {
      throw new Violation("I2 TokenMonotonic", step.event() + " after " + before);
    }
  }
}
