package io.holdfast.id;

/** The number of a public change in the cluster. Changes that come together have one. */
public record Revision(long value) implements Comparable<Revision> {

  /** The revision before all changes, which none has. */
  public static final Revision NONE = new Revision(0);

  public Revision {
    Bound.check("revision", value, 0, Long.MAX_VALUE);
  }

  /** Returns the revision of the change after this one. */
  public Revision next() {
    return new Revision(value + 1);
  }

  @Override
  public int compareTo(Revision other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
