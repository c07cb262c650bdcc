package io.holdfast.id;

import java.util.List;
import java.util.stream.IntStream;

/** The number of a shard, from 0. */
public record ShardId(int value) implements Comparable<ShardId> {

  /** The most shards that the numbers have room for. */
  public static final int MAX_SHARDS = 65_536;

  private static final ShardId[] MADE = new ShardId[4_096];

  static {
    for (int i = 0; i < MADE.length; i++) {
      MADE[i] = new ShardId(i);
    }
  }

  public ShardId {
    Bound.check("shard", value, 0, MAX_SHARDS - 1);
  }

  /** Returns the id with this number, without making it if it is one of a usual cluster. */
  public static ShardId of(int value) {
    return value >= 0 && value < MADE.length ? MADE[value] : new ShardId(value);
  }

  /** Returns the ids of this many shards, in order. */
  public static List<ShardId> range(int count) {
    return IntStream.range(0, count).mapToObj(ShardId::of).toList();
  }

  @Override
  public int compareTo(ShardId other) {
    return Integer.compare(value, other.value);
  }

  @Override
  public String toString() {
    return "shard " + value;
  }
}
