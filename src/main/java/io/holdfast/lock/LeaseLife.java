package io.holdfast.lock;

import java.util.Comparator;

/**
 * One incarnation of a shared lease. A lease that is granted again after its end is another one.
 *
 * @param id the id of the lease
 * @param incarnation the revision of its grant
 */
public record LeaseLife(long id, long incarnation) {

  static final Comparator<LeaseLife> ORDER =
      Comparator.comparingLong(LeaseLife::id).thenComparingLong(LeaseLife::incarnation);

  public LeaseLife {
    OutOfBound.check("lease_id", id, 1, Long.MAX_VALUE);
    OutOfBound.check("lease_incarnation", incarnation, 1, Long.MAX_VALUE);
  }

  @Override
  public String toString() {
    return id + "@" + incarnation;
  }
}
