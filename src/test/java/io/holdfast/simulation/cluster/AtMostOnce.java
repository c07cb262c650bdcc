package io.holdfast.simulation.cluster;

import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.rules.LockEvent;
import io.holdfast.simulation.Violation;
import java.util.HashSet;
import java.util.Set;

/** I8: a request is granted once, waits once, and is not taken for another. */
final class AtMostOnce implements ClusterInvariant {

  private record Asked(String key, RequestId request) {}

  private final Set<Asked> granted = new HashSet<>();
  private final Set<Asked> queued = new HashSet<>();

  @Override
  public void happened(Step step) {
    step.granted()
        .filter(holder -> holder.request().id().isRepeatable())
        .ifPresent(
            holder -> once(granted, new Asked(step.key(), holder.request().id()), "granted"));
    if (step.event() instanceof LockEvent.Queued entered) {
      RequestId request = entered.waiter().request().id();
      if (request.isRepeatable()) {
        once(queued, new Asked(step.key(), request), "queued");
        if (granted.contains(new Asked(step.key(), request))) {
          throw new Violation("I8 AtMostOnce", request + " waits and was granted");
        }
      }
    }
  }

  private static void once(Set<Asked> all, Asked asked, String what) {
    if (!all.add(asked)) {
      throw new Violation("I8 AtMostOnce", asked + " is " + what + " again");
    }
  }

  @Override
  public void told(String key, LockCommand command, Outcome outcome) {
    if (outcome instanceof Outcome.Refused refused
        && refused.refusal() instanceof Refusal.RequestReused) {
      throw new Violation("I8 AtMostOnce", command + " is taken for another");
    }
  }
}
