package holdfast.entity;

import holdfast.journal.state.JournalVersion;
import holdfast.lock.LeaseLife;
import holdfast.lock.Life;
import holdfast.lock.Waiter;
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

  /** Whether a waiter is not there any more: it lives no more, or nobody can hear of its grant. */
  static boolean hasEnded(JournalVersion version, Waiter waiter) {
    return hasEnded(version, waiter.life())
        || waiter.request().id().keptBy().filter(lease -> hasEnded(version, lease)).isPresent();
  }

  static boolean hasEnded(JournalVersion version, Life life) {
    return life.lease().filter(lease -> hasEnded(version, lease)).isPresent();
  }
}
