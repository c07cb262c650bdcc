package io.holdfast.entity;

import io.holdfast.config.LockLimits;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Fullness;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.RequestKey;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.rules.Limits;
import java.util.OptionalInt;

/** The limits of a shard's locks and leases, by one version of the node's journal. */
final class AppliedLimits implements Limits {

  private final JournalVersion version;
  private final ShardId shard;
  private final RequestHistory history;
  private final LockLimits bounds;

  /** Creates the limits for one batch. */
  AppliedLimits(JournalVersion version, ShardId shard, RequestHistory history, LockLimits bounds) {
    this.version = version;
    this.shard = shard;
    this.history = history;
    this.bounds = bounds;
  }

  @Override
  public OptionalInt requestIds(RequestId another, int decidedNow) {
    if (!(history.request(another) instanceof RequestKey.Named named)) {
      return OptionalInt.empty();
    }
    boolean isNamed = another.isRepeatable(); // else its node needs the room
    if (isNamed
        && version.requestCount(shard, named) + decidedNow >= bounds.requestIdsPerClient()) {
      return OptionalInt.of(bounds.requestIdsPerClient());
    }
    return version.requestCount(shard) + decidedNow >= bounds.requestIdsPerShard()
        ? OptionalInt.of(bounds.requestIdsPerShard())
        : OptionalInt.empty();
  }

  @Override
  public OptionalInt keysOn(LeaseLife lease) {
    return version.attachedCount(lease) >= bounds.keysPerLease()
        ? OptionalInt.of(bounds.keysPerLease())
        : OptionalInt.empty();
  }

  @Override
  public OptionalInt state() {
    Fullness fullness = version.fullness();
    return fullness.isFull() ? OptionalInt.of(mebibytes(fullness)) : OptionalInt.empty();
  }

  @Override
  public OptionalInt reserve() {
    Fullness fullness = version.fullness();
    return fullness.isReserveUsedUp() ? OptionalInt.of(mebibytes(fullness)) : OptionalInt.empty();
  }

  private static int mebibytes(Fullness fullness) {
    return (int) Math.min(Integer.MAX_VALUE, (fullness.max() >> 20) + 1);
  }

  /** Returns the largest number of leases, if one more would exceed it. */
  OptionalInt leases() {
    return version.leaseCount() >= bounds.leases()
        ? OptionalInt.of(bounds.leases())
        : OptionalInt.empty();
  }
}
