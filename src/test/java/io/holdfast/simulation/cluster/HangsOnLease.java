package io.holdfast.simulation.cluster;

import io.holdfast.id.LeaseLife;
import io.holdfast.lock.Holder;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.Waiter;
import io.holdfast.sharding.SimulatedShards;
import io.holdfast.simulation.Violation;
import io.holdfast.simulation.journal.JournalWorld;
import io.holdfast.simulation.journal.NodeProcess;
import io.holdfast.wire.Renewal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * I7, what it leans on: each lock with a holder or a waiter that lives by a lease hangs on that
 * lease in the journal, so that it is told of its end. And the owner of a lease does not say for
 * long that one lives on which has ended.
 */
final class HangsOnLease implements ClusterInvariant {

  /** Longer than a process stands still: until then it may not have heard. */
  private static final long HEARD_WITHIN_US = 2_000_000;

  private final ClusterLocks locks;
  private final JournalWorld world;
  private final LockBook book;

  HangsOnLease(ClusterLocks locks, JournalWorld world, LockBook book) {
    this.locks = locks;
    this.world = world;
    this.book = book;
  }

  @Override
  public void entryOver() {
    Map<LeaseLife, Set<String>> hang = new HashMap<>();
    book.rows()
        .forEach(
            (key, row) -> {
              Holder holder = row.holder();
              if (holder != null) {
                hangs(hang, holder.life(), key);
              }
              for (Waiter waiter : row.queue()) {
                hangs(hang, waiter.life(), key);
              }
            });
    hang.forEach(
        (lease, keys) -> {
          int known = world.chronicle().journal().attachedCount(lease);
          if (known != keys.size()) {
            throw new Violation(
                "I7 HangsOnLease", keys + " live by " + lease + ", and [" + known + "] hang on it");
          }
        });
  }

  private void hangs(Map<LeaseLife, Set<String>> hang, Lifetime life, String key) {
    life.lease()
        .filter(book::isAlive)
        .ifPresent(lease -> hang.computeIfAbsent(lease, each -> new HashSet<>()).add(key));
  }

  @Override
  public void kept(NodeProcess by, Renewal renewal, long ageMs, Renewal.Answer answer) {
    if (renewal instanceof Renewal.OfLease asked) {
      LeaseLife lease = LeaseLife.of(asked.id(), answer.incarnation());
      boolean wasLongAgo =
          book.gone(lease)
              .filter(gone -> gone.atUs() < world.nowUs() - HEARD_WITHIN_US)
              .isPresent();
      if (wasLongAgo && locks.isOwner(by, SimulatedShards.nameOfLease(asked.id()))) {
        throw new Violation("I7 HangsOnLease", by + " says that " + lease + " lives on");
      }
    }
  }
}
