package io.holdfast.coordination.state;

/** The number of a shard, from 0. */
public record ShardId(int value) implements Comparable<ShardId> {

  @Override
  public int compareTo(ShardId other) {
    return Integer.compare(value, other.value);
  }

  @Override
  public String toString() {
    return "shard " + value;
  }
}
