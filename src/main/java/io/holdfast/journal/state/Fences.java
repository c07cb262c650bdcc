package io.holdfast.journal.state;

import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;

/**
 * The decisions of the rest of the log that the journal obeys: the epochs of shards and the bound
 * on its size.
 */
@FunctionalInterface
public interface Fences {

  /** The shard's current epoch, under which only its owner may write. */
  Epoch epochOf(ShardId shard);

  /**
   * The bound on {@link Footprint#size}. From this size on, the journal refuses appends that need
   * more room.
   */
  default long maxSize() {
    return Long.MAX_VALUE;
  }
}
