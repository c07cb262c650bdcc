package io.holdfast.keeper;

import io.holdfast.id.Revision;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.Waiter;
import io.holdfast.wire.Renewal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The deadlines of waiters in a {@link DeadlineKeeper}. Used by one thread at a time. */
final class WaiterDeadlines {

  private record Place(LockKey key, RequestId request) {}

  private final Deadlines<ShardDeadline> deadlines;
  private final LongSupplier clock;
  private final Map<Place, Lifetime> waiting = new HashMap<>();

  WaiterDeadlines(Deadlines<ShardDeadline> deadlines, LongSupplier clock) {
    this.deadlines = deadlines;
    this.clock = clock;
  }

  /** Adds a waiter with its full time and the doubt, unless it is known. */
  void began(LockKey key, Waiter waiter, Duration doubt) {
    RequestId request = waiter.request().id();
    if (waiting.putIfAbsent(new Place(key, request), waiter.life()) != null) {
      return;
    }
    atLeast(
        new ShardDeadline.WaiterTimeout(key, request),
        waiter.waitTimeout().toDuration().plus(doubt));
    if (waiter.life() instanceof Lifetime.Own own) {
      atLeast(new ShardDeadline.WaiterTtl(key, request), own.ttl().toDuration().plus(doubt));
    }
  }

  private void atLeast(ShardDeadline deadline, Duration fromNow) {
    deadlines.atLeast(deadline, clock.getAsLong() + fromNow.toNanos());
  }

  void waitsAtMost(LockKey key, RequestId request, WaitTimeout waitTimeout) {
    deadlines.atMost(
        new ShardDeadline.WaiterTimeout(key, request),
        clock.getAsLong() + waitTimeout.toDuration().toNanos());
  }

  void left(LockKey key, RequestId request) {
    waiting.remove(new Place(key, request));
    deadlines.remove(new ShardDeadline.WaiterTimeout(key, request));
    deadlines.remove(new ShardDeadline.WaiterTtl(key, request));
  }

  /** True if the request waits. */
  boolean has(Renewal.OfRequest renewal) {
    return waiting.containsKey(new Place(renewal.key(), renewal.request()));
  }

  /** Renews a waiter by a keepalive of this time; null if that does not count, or not any more. */
  Renewal.@Nullable Answer renew(Renewal.OfRequest renewal, long at) {
    Lifetime life = waiting.get(new Place(renewal.key(), renewal.request()));
    if (life == null) {
      return null;
    }
    boolean counts =
        life.lease().isPresent()
            || deadlines.renew(
                new ShardDeadline.WaiterTtl(renewal.key(), renewal.request()),
                at + life.ttl().toDuration().toNanos());
    return counts
            && !deadlines.isDue(new ShardDeadline.WaiterTimeout(renewal.key(), renewal.request()))
        ? new Renewal.Answer(true, DeadlineKeeper.ownTtlMs(life), 0, 0, Revision.NONE)
        : null;
  }

  int size() {
    return waiting.size();
  }
}
