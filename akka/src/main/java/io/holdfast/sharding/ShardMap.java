package io.holdfast.sharding;

import io.holdfast.coordination.member.Owners;
import io.holdfast.id.LeaseId;
import io.holdfast.id.ShardId;
import io.holdfast.lock.LockKey;
import io.holdfast.wire.Renewal;
import java.util.Optional;
import java.util.OptionalLong;

/** The shards as this node knows them: the shard of a key, its owner, and its deadlines. */
public interface ShardMap {

  /** Returns the number of shards. */
  int shards();

  /** Returns the shard of a key. */
  ShardId shard(LockKey key);

  /** Returns the shard of a shared lease. */
  ShardId shard(LeaseId lease);

  /** Returns the owners of shards, as far as this node has heard. */
  Owners owners();

  /**
   * Returns the remaining milliseconds of a grant or a lease, if this node itself keeps it. For
   * display only.
   */
  OptionalLong leftHere(Renewal of);

  /** Returns the owner of the shard of a key, as far as this node has heard. */
  default Optional<Owners.Owner> owner(LockKey key) {
    return owners().of(shard(key));
  }
}
