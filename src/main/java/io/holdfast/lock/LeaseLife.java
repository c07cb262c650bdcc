package io.holdfast.lock;

import java.util.Comparator;

/**
 * One life of a shared lease. When its id is granted again after its end, that is another life.
 *
 * @param id what the lease is called
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
