package io.holdfast.coordination;

import io.holdfast.id.ShardId;
import java.util.Optional;

/** The shards that this node owns, as far as it knows. Safe for use by many threads. */
public interface ShardOwnership {

  /** This node's ownership of the shard; empty if it has none now. */
  Optional<OwnedShard> of(ShardId shard);
}
