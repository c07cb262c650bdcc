package io.holdfast.coordination.member;

import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import java.util.Optional;

/** The owners of shards, as far as this node has heard. Safe for use by many threads. */
@FunctionalInterface
public interface Owners {

  /**
   * The node that runs a shard.
   *
   * @param member the node's own id
   * @param akkaAddress the address of its actor system
   * @param endpoint the host:port at which clients reach it; empty if it has published none
   * @param epoch of the ownership: of two for one shard the greater is newer
   */
  record Owner(long member, String akkaAddress, String endpoint, Epoch epoch) {}

  /** The owner of the shard; empty if it has none. */
  Optional<Owner> of(ShardId shard);

  /** Rises with every change of an owner: while it is the same, the owners are too. */
  default long version() {
    return 0;
  }
}
