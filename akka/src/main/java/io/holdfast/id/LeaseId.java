package io.holdfast.id;

/**
 * The id of a shared lease; a session has that of its lease. Any number but 0: those that clients
 * choose are positive.
 */
public record LeaseId(long value) implements Comparable<LeaseId> {

  public LeaseId {
    if (value == 0) {
      throw new IllegalArgumentException("lease_id [0] is of no lease");
    }
  }

  @Override
  public int compareTo(LeaseId other) {
    return Long.compare(value, other.value);
  }

  /** Stands in names of requests that the journal keeps: it never changes. */
  @Override
  public String toString() {
    return Long.toString(value);
  }
}
