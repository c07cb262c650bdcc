package io.holdfast.journal.state;

/**
 * Whose command it is, and which: what an owner of a shard writes under its epoch is numbered from
 * 1 without gaps. The same turn is always the same command, however often it is sent.
 */
public record AppendId(int shard, long epoch, long number) {

  public static final int MAX_SHARDS = 65_536;

  public AppendId {
    Required.within("shard", shard, 0, MAX_SHARDS - 1);
    Required.within("epoch", epoch, 1, Long.MAX_VALUE);
    Required.within("number", number, 1, Long.MAX_VALUE);
  }
}
