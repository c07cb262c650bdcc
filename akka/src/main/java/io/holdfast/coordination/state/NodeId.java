package io.holdfast.coordination.state;

/** The id of a node: that of its data directory, or a random number of a node without one. */
public record NodeId(long value) implements Comparable<NodeId> {

  @Override
  public int compareTo(NodeId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return "n" + Long.toString(value, 36);
  }
}
