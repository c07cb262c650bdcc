package io.holdfast.keeper;

import io.holdfast.lock.LockKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The locks of a {@link DeadlineKeeper} with a holder or waiter whose lease has ended. Used by one
 * thread at a time.
 */
final class OrphanedLocks {

  private final Deadlines<ShardDeadline> deadlines;
  private final LongSupplier clock;
  private final Map<LockKey, Long> locks = new HashMap<>();
  private long lostLeases;

  OrphanedLocks(Deadlines<ShardDeadline> deadlines, LongSupplier clock) {
    this.deadlines = deadlines;
    this.clock = clock;
  }

  void add(LockKey key) {
    lostLeases++;
    locks.put(key, lostLeases);
    deadlines.atLeast(new ShardDeadline.Orphans(key), clock.getAsLong());
  }

  /** Returns the number of calls of {@link #add} so far. */
  long lostLeases() {
    return lostLeases;
  }

  /**
   * Removes a lock that has removed everything that depended on the first {@code upTo} lost leases.
   * If another lease ended during that write, the lock is due again at once.
   */
  void orphansRemoved(LockKey key, long upTo) {
    ShardDeadline orphans = new ShardDeadline.Orphans(key);
    deadlines.remove(orphans);
    if (locks.getOrDefault(key, 0L) > upTo) {
      deadlines.atLeast(orphans, clock.getAsLong());
    } else {
      locks.remove(key);
    }
  }

  boolean has(LockKey key) {
    return locks.containsKey(key);
  }
}
