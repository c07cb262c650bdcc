package io.holdfast.journal.state;

import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;

/**
 * The identity of an append. The owner of a shard numbers its appends under one epoch from 1
 * without gaps. The same id is always the same append, however often it is sent.
 */
public record AppendId(ShardId shard, Epoch epoch, long number) {

  public AppendId {
    Required.within("epoch", epoch.value(), 1, Long.MAX_VALUE);
    Required.within("number", number, 1, Long.MAX_VALUE);
  }
}
