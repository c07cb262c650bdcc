package io.holdfast.hosting;

import io.holdfast.id.Revision;
import io.holdfast.lock.Holder;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Waiter;
import java.util.List;

/**
 * The public details of a lock.
 *
 * @param holders none if it is free
 * @param created the revision since which it is held; 0 if it is free
 * @param revision the revision of its latest change; 0 if it is free
 * @param version the number of its changes since it was free; 0 if it is free
 * @param waiters the requested number of its first waiters
 * @param waiting the number of all waiters
 */
public record LockDetails(
    LockKey key,
    List<Holder> holders,
    Revision created,
    Revision revision,
    long version,
    List<Waiter> waiters,
    int waiting) {

  public LockDetails {
    holders = List.copyOf(holders);
    waiters = List.copyOf(waiters);
  }
}
