package io.holdfast.keeper;

import io.holdfast.id.LeaseLife;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.Waiter;
import io.holdfast.lock.rules.WaiterQueue;
import java.util.List;

/** Finds ended leases in the state that a node has applied. */
public final class EndedLeases {

  private EndedLeases() {}

  /**
   * True if a lease has surely ended. A lease whose grant the node has not applied yet has not
   * ended.
   */
  public static boolean hasEnded(JournalVersion version, LeaseLife lease) {
    boolean isAlive = version.lease(lease.id()).filter(lease::equals).isPresent();
    return !isAlive && version.revision().compareTo(lease.incarnation()) >= 0;
  }

  /** Returns the waiters whose lease or session has ended. */
  public static List<Waiter> ended(JournalVersion version, WaiterQueue queue) {
    return queue.endedWith(lease -> hasEnded(version, lease));
  }

  public static boolean hasEnded(JournalVersion version, Lifetime life) {
    return life.lease().filter(lease -> hasEnded(version, lease)).isPresent();
  }
}
