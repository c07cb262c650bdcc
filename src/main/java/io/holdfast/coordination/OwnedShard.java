package io.holdfast.coordination;

import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.lock.FencingToken;
import java.time.Duration;
import java.util.Optional;

/**
 * The ownership of one shard by this node under one epoch. An actor of the shard takes it when it
 * is created, and keeps it for life. Safe for use by many threads.
 */
public interface OwnedShard {

  /** The shard. */
  ShardId shard();

  /** The epoch under which the node writes for the shard. Each ownership has its own. */
  Epoch epoch();

  /**
   * True if nobody else can own the shard now: what was written is confirmed by the journal, and
   * whatever is answered without a write must ask this right before.
   */
  boolean isSure();

  /**
   * The time that a recovery adds to every deadline: an owner before this one may have promised so
   * much that nobody else heard of. Zero for a shard that is certain.
   */
  Duration doubt();

  /**
   * The next fencing token, greater than all that any owner of the shard gave out before. Empty if
   * the owner has none left and the cluster has not given it more; also once it owns the shard no
   * longer. A token that is not used is never given out again.
   */
  Optional<FencingToken> nextToken();
}
