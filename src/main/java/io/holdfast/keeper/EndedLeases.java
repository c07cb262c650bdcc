package io.holdfast.keeper;

import io.holdfast.id.LeaseLife;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.Waiter;
import io.holdfast.lock.WaiterQueue;
import java.util.List;
import java.util.OptionalLong;

/** Finds ended leases in the state that a node has applied. */
public final class EndedLeases {

  private EndedLeases() {}

  /**
   * True if a lease has surely ended. A lease whose grant the node has not applied yet has not
   * ended.
   */
  public static boolean hasEnded(JournalVersion version, LeaseLife lease) {
    OptionalLong alive = version.lease(lease.id());
    return alive.isPresent()
        ? alive.getAsLong() != lease.incarnation()
            && version.revision().value() >= lease.incarnation()
        : version.revision().value() >= lease.incarnation();
  }

  /** Returns the waiters whose lease or session has ended. */
  public static List<Waiter> ended(JournalVersion version, WaiterQueue queue) {
    return queue.endedWith(lease -> hasEnded(version, lease));
  }

  public static boolean hasEnded(JournalVersion version, Lifetime life) {
    return life.lease().filter(lease -> hasEnded(version, lease)).isPresent();
  }
}
