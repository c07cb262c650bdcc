package io.holdfast.id;

/** The id of a history in the journal: that of a lock or of a shared lease. */
public record PersistenceId(String value) implements Comparable<PersistenceId> {

  public PersistenceId {
    if (value.isEmpty()) {
      throw new IllegalArgumentException("a persistence id is empty");
    }
  }

  @Override
  public int compareTo(PersistenceId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
