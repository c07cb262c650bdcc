package io.holdfast.keeper;

import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.LockHistoryReader;
import io.holdfast.journal.LockRecordReader;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.Renewal;

/** Looks up grants, waiters and leases in the state that a node has applied. */
public final class RenewalLookup {

  private RenewalLookup() {}

  /** True if the target of the renewal exists. */
  static boolean has(JournalVersion version, ShardId shard, Renewal renewal) {
    if (renewal instanceof Renewal.OfGrant grant) {
      return isHeld(version, shard, grant.key(), grant.token());
    } else if (renewal instanceof Renewal.OfRequest request) {
      LockState lock = LockHistoryReader.read(version, shard, EntityIds.of(request.key()));
      return lock.position(request.request()) > 0
          || lock.holders().stream().anyMatch(h -> h.request().id().equals(request.request()));
    } else if (renewal instanceof Renewal.OfLease lease) {
      Revision meant = lease.incarnation();
      return version.lease(lease.id()).stream()
          .anyMatch(life -> meant.equals(Revision.NONE) || meant.equals(life.incarnation()));
    } else if (renewal instanceof Renewal.Look look) {
      return has(version, shard, look.at());
    }
    throw new AssertionError(renewal);
  }

  /** True if the public record of the lock has this token. */
  public static boolean isHeld(
      JournalVersion version, ShardId shard, LockKey key, FencingToken token) {
    return version.record(shard, EntityIds.of(key)).stream()
        .flatMap(record -> LockRecordReader.holders(record).stream())
        .anyMatch(holder -> holder.token().equals(token));
  }
}
