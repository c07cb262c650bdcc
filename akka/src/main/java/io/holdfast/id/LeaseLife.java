package io.holdfast.id;

import org.jspecify.annotations.Nullable;

/**
 * One incarnation of a shared lease. A lease that is granted again after its end is another one.
 *
 * <p>A lock may hang on thousands of them, which are compared with each of its writes: so it has
 * its two numbers itself.
 */
public final class LeaseLife implements Comparable<LeaseLife> {

  private final long id;
  private final long incarnation;

  private LeaseLife(long id, long incarnation) {
    this.id = id;
    this.incarnation = incarnation;
  }

  /**
   * Returns an incarnation of a lease.
   *
   * @param incarnation the revision of its grant
   */
  public static LeaseLife of(LeaseId id, Revision incarnation) {
    Bound.check("lease_incarnation", incarnation.value(), 1, Long.MAX_VALUE);
    return new LeaseLife(id.value(), incarnation.value());
  }

  public LeaseId id() {
    return new LeaseId(id);
  }

  public Revision incarnation() {
    return new Revision(incarnation);
  }

  @Override
  public int compareTo(LeaseLife other) {
    int byId = Long.compare(id, other.id);
    return byId != 0 ? byId : Long.compare(incarnation, other.incarnation);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LeaseLife life && id == life.id && incarnation == life.incarnation;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(id) + Long.hashCode(incarnation);
  }

  /** Stands in names of requests that the journal keeps: it never changes. */
  @Override
  public String toString() {
    return id + "@" + incarnation;
  }
}
