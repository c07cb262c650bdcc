package io.holdfast.entity;

import io.holdfast.id.LeaseLife;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.keeper.EndedLeases;
import io.holdfast.lock.rules.Batch;
import io.holdfast.lock.rules.WaiterQueue;
import java.util.List;

/**
 * Finds the ended leases of those who wait for one lock. It looks at the leases that have ended
 * since the last decision, and not at each lease of a long queue. Belongs to one actor.
 */
final class EndedWaits {

  /** The log's entry up to which the leases that ended have left nobody in the queue. */
  private long upTo = -1;

  /**
   * Returns the ended leases and sessions of those who wait, and perhaps others. If this node does
   * not know all that have ended since, or if they are more than the queue has, it looks at each
   * lease of the queue.
   */
  List<LeaseLife> leases(WaiterQueue queue, JournalVersion version) {
    return queue.isEmpty()
        ? List.of()
        : version
            .endedSince(upTo, queue.leaseCount())
            .orElseGet(() -> queue.leases(lease -> EndedLeases.hasEnded(version, lease)));
  }

  /**
   * Notes a decision by these leases of this version. A refused command may leave their waiters in
   * the queue. Nobody begins to wait by a lease, or in a session, that the version shows as ended.
   */
  void decided(Batch batch, List<LeaseLife> ended, JournalVersion version) {
    if (batch.after().waiters().on(ended).isEmpty()) {
      upTo = version.index();
    }
  }
}
