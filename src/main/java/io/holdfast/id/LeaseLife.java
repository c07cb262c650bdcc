package io.holdfast.id;

/**
 * One incarnation of a shared lease. A lease that is granted again after its end is another one.
 *
 * @param id the id of the lease
 * @param incarnation the revision of its grant
 */
public record LeaseLife(long id, long incarnation) implements Comparable<LeaseLife> {

  public LeaseLife {
    if (id == 0) {
      throw new IllegalArgumentException("lease_id [0] is of no lease");
    }
    Bound.check("lease_incarnation", incarnation, 1, Long.MAX_VALUE);
  }

  @Override
  public int compareTo(LeaseLife other) {
    int byId = Long.compare(id, other.id);
    return byId != 0 ? byId : Long.compare(incarnation, other.incarnation);
  }

  /** Stands in names of requests that the journal keeps: it never changes. */
  @Override
  public String toString() {
    return id + "@" + incarnation;
  }
}
