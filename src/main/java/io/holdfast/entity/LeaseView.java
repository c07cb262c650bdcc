package io.holdfast.entity;

import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.LockKey;
import java.util.List;

/**
 * A shared lease that is alive.
 *
 * @param keys as many of the locks that it holds as were asked for, in their order
 * @param keyCount how many locks it holds; 0 if that was not asked for
 */
public record LeaseView(
    long id, long incarnation, LeaseTerms terms, List<LockKey> keys, int keyCount) {

  public LeaseView {
    keys = List.copyOf(keys);
  }
}
