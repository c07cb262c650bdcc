package io.holdfast.hosting;

import io.holdfast.id.LeaseId;
import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.LockKey;
import java.util.List;

/**
 * A shared lease that is alive.
 *
 * @param keys the requested page of the locks that it holds, in order
 * @param keyCount the number of locks that it holds; 0 if no keys were requested
 */
public record LeaseDetails(
    LeaseId id, Revision incarnation, LeaseTerms terms, List<LockKey> keys, int keyCount) {

  public LeaseDetails {
    keys = List.copyOf(keys);
  }
}
