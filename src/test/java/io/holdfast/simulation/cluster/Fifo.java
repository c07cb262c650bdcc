package io.holdfast.simulation.cluster;

import io.holdfast.lock.RequestId;
import io.holdfast.lock.Waiter;
import io.holdfast.simulation.Violation;
import java.util.List;

/** I6: the first waiter is granted the lock, and no other request while there are waiters. */
final class Fifo implements ClusterInvariant {

  @Override
  public void happened(Step step) {
    List<Waiter> queue = step.before().queue();
    if (step.handedOver().isPresent()) {
      RequestId next = step.handedOver().get().next().request().id();
      require(!queue.isEmpty() && queue.get(0).request().id().equals(next), step);
    } else if (step.granted().isPresent() || step.freed().isPresent()) {
      require(queue.isEmpty(), step);
    }
  }

  private static void require(boolean holds, Step step) {
    if (!holds) {
      throw new Violation("I6 Fifo", step.event() + " with " + step.before());
    }
  }
}
