package io.holdfast.id;

/**
 * The number of one ownership of one shard, and the fence of a shard: later ones are greater, over
 * restores too, and no epoch is ever given out twice.
 */
public record Epoch(long value) implements Comparable<Epoch> {

  /** The fence of a shard that nobody ever owned. */
  public static final Epoch NONE = new Epoch(0);

  public Epoch {
    Bound.check("epoch", value, 0, Long.MAX_VALUE);
  }

  @Override
  public int compareTo(Epoch other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return "e" + value;
  }
}
