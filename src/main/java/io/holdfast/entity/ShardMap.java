package io.holdfast.entity;

import io.holdfast.coordination.Owners;
import io.holdfast.lock.LockKey;
import java.util.Optional;
import java.util.OptionalLong;

/** The shards as this node knows them: which one a key is in, who runs it, and what it keeps. */
public interface ShardMap {

  /** How many shards there are. */
  int shards();

  /** Which shard a key is in. */
  int shard(LockKey key);

  /** Which shard a shared lease is in. */
  int shard(long lease);

  /** Who runs which shard, as far as this node has heard. */
  Owners owners();

  /**
   * How many milliseconds a grant or a lease lives without a sign of life, if this node itself
   * keeps it. Only for showing.
   */
  OptionalLong leftHere(Renewal of);

  /** Who runs the shard of a key, as far as this node has heard. */
  default Optional<Owners.Owner> owner(LockKey key) {
    return owners().of(shard(key));
  }
}
