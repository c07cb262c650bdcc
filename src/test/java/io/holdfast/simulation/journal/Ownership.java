package io.holdfast.simulation.journal;

import io.holdfast.coordination.OwnedShard;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.Epoch;
import io.holdfast.coordination.state.ShardId;

/** One acquire that was granted: no other has its epoch. */
public record Ownership(ShardId shard, Epoch epoch) {

  static Ownership of(CoordinationVerdict.Acquired acquired) {
    return new Ownership(acquired.shard(), acquired.epoch());
  }

  static Ownership of(OwnedShard owned) {
    return new Ownership(new ShardId(owned.shard()), new Epoch(owned.epoch()));
  }
}
