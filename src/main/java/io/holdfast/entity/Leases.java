package io.holdfast.entity;

import io.holdfast.journal.state.JournalVersion;
import io.holdfast.lock.LeaseLife;
import io.holdfast.lock.Life;
import io.holdfast.lock.Line;
import io.holdfast.lock.Waiter;
import java.util.List;
import java.util.OptionalLong;

/** Which leases have ended, by what a node has applied. */
final class Leases {

  private Leases() {}

  /**
   * Whether a lease has ended for sure. One whose grant the node has not applied yet is not known
   * to be there, and has not ended either.
   */
  static boolean hasEnded(JournalVersion version, LeaseLife lease) {
    OptionalLong alive = version.lease(lease.id());
    return alive.isPresent()
        ? alive.getAsLong() != lease.incarnation() && version.revision() >= lease.incarnation()
        : version.revision() >= lease.incarnation();
  }

  /** Those who are not there any more: they live no more, or nobody can hear of their grant. */
  static List<Waiter> ended(JournalVersion version, Line line) {
    return line.endedWith(lease -> hasEnded(version, lease));
  }

  static boolean hasEnded(JournalVersion version, Life life) {
    return life.lease().filter(lease -> hasEnded(version, lease)).isPresent();
  }
}
