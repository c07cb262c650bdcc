package io.holdfast.journal.state;

/**
 * The identity of an append. The owner of a shard numbers its appends under one epoch from 1
 * without gaps. The same id is always the same append, however often it is sent.
 */
public record AppendId(int shard, long epoch, long number) {

  public static final int MAX_SHARDS = 65_536;

  public AppendId {
    Required.within("shard", shard, 0, MAX_SHARDS - 1);
    Required.within("epoch", epoch, 1, Long.MAX_VALUE);
    Required.within("number", number, 1, Long.MAX_VALUE);
  }
}
