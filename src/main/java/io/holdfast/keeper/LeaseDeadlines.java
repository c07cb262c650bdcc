package io.holdfast.keeper;

import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.wire.Renewal;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The deadlines of shared leases in a {@link DeadlineKeeper}. Used by one thread at a time. */
final class LeaseDeadlines {

  private record LeaseTtl(LeaseLife life, Duration ttl) {}

  private final Deadlines<ShardDeadline> deadlines;
  private final LongSupplier clock;
  private final Map<LeaseId, LeaseTtl> leases = new HashMap<>();

  /** The leases that ended while the journal is read, and that must not come back by it. */
  private final Set<LeaseLife> endedSince = new HashSet<>();

  private boolean complete;

  LeaseDeadlines(Deadlines<ShardDeadline> deadlines, LongSupplier clock) {
    this.deadlines = deadlines;
    this.clock = clock;
  }

  /** Ends the reading of the journal. */
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
    if (known == null || known.life.compareTo(lease) < 0) {
      leases.put(lease.id(), new LeaseTtl(lease, ttl));
      atLeast(new ShardDeadline.Lease(lease), fromNow);
    }
  }

  private void atLeast(ShardDeadline.Lease lease, Duration fromNow) {
    deadlines.atLeast(lease, clock.getAsLong() + fromNow.toNanos());
  }

  void ended(LeaseLife lease) {
    LeaseTtl known = leases.get(lease.id());
    if (known != null && known.life.equals(lease)) {
      leases.remove(lease.id());
    }
    deadlines.remove(new ShardDeadline.Lease(lease));
    if (!complete) {
      endedSince.add(lease);
    }
  }

  /** True if the lease is known. */
  boolean has(Renewal.OfLease lease) {
    return known(lease) != null;
  }

  private @Nullable LeaseTtl known(Renewal.OfLease lease) {
    LeaseTtl known = leases.get(lease.id());
    boolean isMeant =
        known != null
            && (lease.incarnation().equals(Revision.NONE)
                || lease.incarnation().equals(known.life.incarnation()));
    return isMeant ? known : null;
  }

  /** Renews a lease; null if that does not count, or not any more. */
  Renewal.@Nullable Answer renew(Renewal.OfLease lease, long at) {
    LeaseTtl known = known(lease);
    if (known == null) {
      return null;
    }
    ShardDeadline.Lease deadline = new ShardDeadline.Lease(known.life);
    return deadlines.renew(deadline, at + known.ttl.toNanos())
        ? new Renewal.Answer(true, known.ttl.toMillis(), 0, 0, known.life.incarnation())
        : null;
  }

  /** Returns its remaining time in nanoseconds, if it is known. */
  OptionalLong left(Renewal.OfLease lease) {
    LeaseTtl known = known(lease);
    return known == null
        ? OptionalLong.empty()
        : deadlines.left(new ShardDeadline.Lease(known.life), clock.getAsLong());
  }

  int size() {
    return leases.size();
  }
}
