package io.holdfast.entity;

import io.holdfast.lock.LeaseLife;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The shared leases of a {@link Keeper}. Used by one thread at a time. */
final class KeptLeases {

  private record LeaseTtl(long incarnation, Duration ttl) {}

  private final Deadlines<Timed> deadlines;
  private final LongSupplier clock;
  private final Map<Long, LeaseTtl> leases = new HashMap<>();

  /** While the past is being learned: those that have ended since, and must not come back by it. */
  private final Set<LeaseLife> endedSince = new HashSet<>();

  private boolean complete;

  KeptLeases(Deadlines<Timed> deadlines, LongSupplier clock) {
    this.deadlines = deadlines;
    this.clock = clock;
  }

  /** All that were there before are known. */
  void complete() {
    complete = true;
    endedSince.clear();
  }

  void found(LeaseLife lease, Duration ttl, Duration doubt) {
    if (!endedSince.contains(lease)) {
      lives(lease, ttl.plus(doubt), ttl);
    }
  }

  void began(LeaseLife lease, Duration ttl) {
    lives(lease, ttl, ttl);
  }

  private void lives(LeaseLife lease, Duration fromNow, Duration ttl) {
    LeaseTtl known = leases.get(lease.id());
    if (known == null || known.incarnation < lease.incarnation()) {
      leases.put(lease.id(), new LeaseTtl(lease.incarnation(), ttl));
      atLeast(new Timed.Lease(lease.id(), lease.incarnation()), fromNow);
    }
  }

  private void atLeast(Timed.Lease lease, Duration fromNow) {
    deadlines.atLeast(lease, clock.getAsLong() + fromNow.toNanos());
  }

  void ended(LeaseLife lease) {
    LeaseTtl known = leases.get(lease.id());
    if (known != null && known.incarnation == lease.incarnation()) {
      leases.remove(lease.id());
    }
    deadlines.remove(new Timed.Lease(lease.id(), lease.incarnation()));
    if (!complete) {
      endedSince.add(lease);
    }
  }

  /** True if the lease that is meant is known. */
  boolean has(Renewal.OfLease lease) {
    return known(lease) != null;
  }

  private @Nullable LeaseTtl known(Renewal.OfLease lease) {
    LeaseTtl known = leases.get(lease.id());
    return known != null && (lease.incarnation() == 0 || lease.incarnation() == known.incarnation)
        ? known
        : null;
  }

  /** A sign of life came; null if it does not count, or not any more. */
  Renewal.@Nullable Answer renew(Renewal.OfLease lease) {
    LeaseTtl known = known(lease);
    if (known == null) {
      return null;
    }
    Timed.Lease what = new Timed.Lease(lease.id(), known.incarnation);
    if (deadlines.isDue(what)) {
      return null;
    }
    atLeast(what, known.ttl);
    return new Renewal.Answer(true, known.ttl.toMillis(), 0, 0, known.incarnation);
  }

  /** The time that is left to it, in nanoseconds, if it is known. */
  OptionalLong left(Renewal.OfLease lease) {
    LeaseTtl known = known(lease);
    return known == null
        ? OptionalLong.empty()
        : deadlines.left(new Timed.Lease(lease.id(), known.incarnation), clock.getAsLong());
  }

  int size() {
    return leases.size();
  }
}
