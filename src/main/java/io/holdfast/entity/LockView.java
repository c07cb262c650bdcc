package io.holdfast.entity;

import io.holdfast.lock.Holder;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Waiter;
import java.util.List;

/**
 * A lock as everyone may see it.
 *
 * @param holders none if it is free
 * @param created the revision that made the free lock held; 0 if it is free
 * @param revision of its latest change; 0 if it is free
 * @param version how many changes it has had since it was free; 0 if it is free
 * @param waiters as many of the line as were asked for
 * @param waiting how many wait
 */
public record LockView(
    LockKey key,
    List<Holder> holders,
    long created,
    long revision,
    long version,
    List<Waiter> waiters,
    int waiting) {

  public LockView {
    holders = List.copyOf(holders);
    waiters = List.copyOf(waiters);
  }
}
