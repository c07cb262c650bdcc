package io.holdfast.simulation.cluster;

import io.holdfast.id.LeaseLife;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lease.rules.LeaseEvent;
import io.holdfast.lock.Holder;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Waiter;
import io.holdfast.lock.rules.GrantEnding;
import io.holdfast.lock.rules.LockEvent;
import io.holdfast.simulation.Violation;
import io.holdfast.simulation.journal.JournalWorld;
import io.holdfast.simulation.journal.NodeProcess;
import io.holdfast.wire.Renewal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * I4: nothing ends for its time before its ttl has passed since it began and since the last
 * keepalive that a keeper acknowledged came to a node, by a clock that is at most 1 % fast. No
 * grant is said to have aged by more than that, nor to live on as long as it is said to have aged.
 */
final class ServerNeverEarly implements ClusterInvariant {

  private static final double FASTEST = 1.011;
  private static final long READING_US = 2_000;

  private final ClusterLocks locks;
  private final JournalWorld world;
  private final LockBook book;
  private final Map<Object, Long> lastSignUs = new HashMap<>();
  private final Map<Object, Long> agedUs = new HashMap<>();

  ServerNeverEarly(ClusterLocks locks, JournalWorld world, LockBook book) {
    this.locks = locks;
    this.world = world;
    this.book = book;
  }

  @Override
  public void kept(NodeProcess by, Renewal renewal, long ageMs, Renewal.Answer answer) {
    if (renewal instanceof Renewal.OfLease lease) {
      sign(LeaseLife.of(lease.id(), answer.incarnation()), ageMs);
    } else if (answer.token() != 0) {
      requireYoung(renewal, answer.token());
      sign(answer.token(), ageMs);
    } else if (renewal instanceof Renewal.OfRequest request) {
      sign(request.request(), ageMs);
    }
  }

  private void requireYoung(Renewal renewal, long token) {
    for (Row row : book.rows().values()) {
      Holder holder = row.holder();
      if (holder != null && holder.token().value() == token && !holder.aged().isZero()) {
        throw new Violation("I4 ServerNeverEarly", renewal + " counts, but is not in " + row);
      }
    }
  }

  @Override
  public void began(LeaseLife lease, LeaseTerms terms) {
    sign(lease);
  }

  @Override
  public void asked(LockCommand.Acquire acquire) {
    began.putIfAbsent(acquire.request().id(), world.nowUs());
  }

  /** A node that knows that the request left the queue asks only for the recorded outcome. */
  @Override
  public void came(String key, LockCommand.Acquire acquire) {
    if (hasLeft.contains(acquire.request().id())
        && acquire.repeated()
        && !acquire.waitTimeout().waits()) {
      noLongerWait.add(acquire.request().id());
    }
  }

  private void sign(Object what) {
    sign(what, 0);
  }

  private void sign(Object what, long ageMs) {
    lastSignUs.merge(what, world.nowUs() - ageMs * 1_000, Math::max);
  }

  @Override
  public void happened(Step step) {
    step.granted().ifPresent(holder -> sign(holder.token().value()));
    step.ended()
        .filter(ended -> ended.ending().cause() == GrantEnding.Cause.EXPIRED)
        .ifPresent(
            ended ->
                require(
                    ended.holder().token().value(), ended.holder().life().ttl().millis(), step));
    if (step.event() instanceof LockEvent.Aged aged) {
      aged(step, aged);
    }
    step.ended().ifPresent(ended -> countAged(step, ended));
    if (step.event() instanceof LockEvent.Queued queued) {
      sign(queued.waiter().request().id());
    } else if (step.event() instanceof LockEvent.Left left) {
      step.before().waiter(left.request()).ifPresent(waiter -> left(step, left, waiter));
    }
  }

  private void aged(Step step, LockEvent.Aged aged) {
    locks.count(aged.aged().isZero() ? "age set back" : "aged");
    agedUs.put(aged.token().value(), world.nowUs());
    require((Object) aged.token().value(), aged.aged().toMillis(), step);
  }

  private void countAged(Step step, Step.Ended ended) {
    if (ended.ending().cause() == GrantEnding.Cause.EXPIRED && !ended.holder().aged().isZero()) {
      long atUs = agedUs.getOrDefault(ended.holder().token().value(), 0L);
      locks.count(atUs < book.acquiredUs(step.shard()) ? "expired by an older age" : "expired old");
    }
  }

  private final Map<RequestId, Long> began = new HashMap<>();
  private final Set<RequestId> noLongerWait = new HashSet<>();
  private final Set<RequestId> hasLeft = new HashSet<>();

  private void left(Step step, LockEvent.Left left, Waiter waiter) {
    boolean isFirst = hasLeft.add(left.request());
    if (!left.request().isRepeatable() && !isFirst) {
      return; // its wait is over: a late copy brought it back, of which nothing was kept yet
    } else if (noLongerWait.contains(left.request())) {
      return;
    } else if (left.cause() == LockCommand.LeaveCause.TIMED_OUT) {
      long sinceUs = world.nowUs() - began.getOrDefault(left.request(), 0L);
      require(sinceUs, waiter.waitTimeout().millis(), step);
    } else if (left.cause() == LockCommand.LeaveCause.LEASE_ENDED
        && waiter.life().lease().isEmpty()
        && waiter.request().id().keptBy().map(book::isAlive).orElse(true)) {
      require((Object) left.request(), waiter.life().ttl().millis(), step);
    }
  }

  @Override
  public void ended(LeaseLife lease, LeaseEvent.Cause cause) {
    LeaseTerms terms = book.leases().get(lease);
    if (cause == LeaseEvent.Cause.EXPIRED && terms != null) {
      require((Object) lease, terms.ttl().millis(), lease);
    }
  }

  private void require(Object what, long ttlMs, Object how) {
    require(world.nowUs() - lastSignUs.getOrDefault(what, 0L), ttlMs, how);
  }

  private static void require(long sinceUs, long ttlMs, Object how) {
    if (sinceUs + READING_US < ttlMs * 1_000 / FASTEST) {
      throw new Violation(
          "I4 ServerNeverEarly",
          "[" + sinceUs + " us] after the last sign of [" + ttlMs + " ms]: " + how);
    }
  }
}
