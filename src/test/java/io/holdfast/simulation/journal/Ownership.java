package io.holdfast.simulation.journal;

import io.holdfast.coordination.OwnedShard;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;

/** One acquire that was granted: no other has its epoch. */
public record Ownership(ShardId shard, Epoch epoch) {

  static Ownership of(CoordinationVerdict.Acquired acquired) {
    return new Ownership(acquired.shard(), acquired.epoch());
  }

  static Ownership of(OwnedShard owned) {
    return new Ownership(owned.shard(), owned.epoch());
  }
}
