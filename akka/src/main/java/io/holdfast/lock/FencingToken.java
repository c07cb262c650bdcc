package io.holdfast.lock;

/**
 * The number of a grant. It is unique in the cluster, and later grants of a key have greater
 * numbers, so that a store can refuse a former holder.
 */
public record FencingToken(long value) implements Comparable<FencingToken> {

  public FencingToken {
    OutOfBound.check("fencing_token", value, 1, Long.MAX_VALUE);
  }

  @Override
  public int compareTo(FencingToken other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
