package io.holdfast.keeper;

import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.Renewal;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps all deadlines of one shard under one epoch of this node: of grants, waiters and leases.
 * Keepalives move them here, without a message to an actor and without a commit. Safe for use by
 * many threads.
 *
 * <p>Guarantee, I4 ServerNeverEarly: nothing is due within the ttl that was promised, counted from
 * the call that promised it. Once something is due, no keepalive of it is answered: its end may
 * commit any moment, and a caller that asks again gets the result.
 */
public final class DeadlineKeeper {

  /** The time after which a due item that has not ended is reported again. */
  public static final Duration REPEAT_AFTER = Duration.ofSeconds(1);

  /** The number of due items in progress at once, so that a large lease does not block writes. */
  static final int MAX_IN_PROGRESS = 64;

  /** A grant, with its age if it has a ttl of its own. */
  private record Held(
      FencingToken token, RequestId request, Lifetime life, @Nullable GrantAge ageing) {}

  private final BooleanSupplier isSure;
  private final LongSupplier clock;
  private final Deadlines<ShardDeadline> deadlines = new Deadlines<>(REPEAT_AFTER.toNanos());
  private final Map<LockKey, Held> held = new HashMap<>();
  private final WaiterDeadlines waiters;
  private final LeaseDeadlines leases;
  private final OrphanedLocks orphaned;

  /** The locks whose actors have told their state, until the journal is read. */
  private final Set<LockKey> told = new HashSet<>();

  private final OutcomeRetention retention = new OutcomeRetention();

  /** The callers to notify at the end of their wait. */
  public final WaitingCallers waitingCallers = new WaitingCallers();

  private boolean complete;

  /**
   * Creates a keeper without deadlines.
   *
   * @param isSure true as long as no other node can own the shard
   * @param clock monotonic, in nanoseconds
   */
  public DeadlineKeeper(BooleanSupplier isSure, LongSupplier clock) {
    this.isSure = isSure;
    this.clock = clock;
    waiters = new WaiterDeadlines(deadlines, clock);
    leases = new LeaseDeadlines(deadlines, clock);
    orphaned = new OrphanedLocks(deadlines, clock);
  }

  /** Ends the reading of the journal: anything that is unknown now does not exist. */
  public synchronized void complete() {
    complete = true;
    leases.complete();
    told.clear();
  }

  /**
   * Adds a lock from the journal. Its holder and waiters get their full time and the doubt. A grant
   * with a recorded age gets the rest of its ttl instead.
   */
  synchronized void found(LockKey key, LockState state, Duration doubt, boolean hasOrphans) {
    if (!told.contains(key)) {
      changed(key, LockState.FREE, state, doubt);
      if (hasOrphans) {
        orphans(key);
      }
    }
  }

  /**
   * Takes the state of a lock from its newly recovered actor. The former actor may have ended with
   * a write in flight, and nobody else tells the result of that.
   */
  public synchronized void recovered(
      LockKey key, LockState state, Duration doubt, boolean hasOrphans) {
    if (!complete) {
      told.add(key);
    }
    changed(key, LockState.FREE, state, doubt);
    aged(key, state);
    if (hasOrphans) {
      orphans(key);
    }
  }

  /**
   * Takes a new state of a lock. Deadlines of ended grants and waiters are removed, and new ones
   * get their full time and the doubt. Known deadlines stay, but a grant whose count has changed
   * gets its full time again.
   *
   * @param before the former state as far as it is known; its waiters that are not in the new state
   *     have left
   */
  public synchronized void changed(LockKey key, LockState before, LockState after, Duration doubt) {
    Held known = held.get(key);
    if (known != null && after.holder(known.token).isEmpty()) {
      ended(key, known.token);
    }
    for (Holder holder : after.holders()) {
      boolean isNew = known == null || !known.token.equals(holder.token());
      if (isNew || countChanged(before, holder)) {
        hold(key, holder, doubt);
      }
    }
    QueueDiff.compare(
        before.waiters(),
        after.waiters(),
        gone -> waiters.left(key, gone.request().id()),
        come -> waiters.began(key, come, doubt));
  }

  private static boolean countChanged(LockState before, Holder holder) {
    return before.holder(holder.token()).filter(was -> was.count() != holder.count()).isPresent();
  }

  private void hold(LockKey key, Holder holder, Duration doubt) {
    Held before = held.get(key);
    GrantAge ageing = before == null ? null : before.ageing;
    if (holder.life() instanceof Lifetime.Own own) {
      Duration ttl = own.ttl().toDuration();
      // No keepalive was answered since its age was recorded, so that there is no doubt.
      Duration left = holder.aged().isZero() ? ttl.plus(doubt) : ttl.minus(holder.aged());
      long now = clock.getAsLong();
      if (ageing == null) {
        ageing = new GrantAge(own.ttl(), holder.aged(), now + left.toNanos() - ttl.toNanos());
      } else {
        ageing.written(now);
      }
      atLeast(new ShardDeadline.Grant(key, holder.token()), left);
      plan(new ShardDeadline.Age(key, holder.token()), ageing);
    }
    held.put(key, new Held(holder.token(), holder.request().id(), holder.life(), ageing));
  }

  private void plan(ShardDeadline.Age age, GrantAge ageing) {
    ageing.nextAt(clock.getAsLong()).ifPresent(at -> deadlines.atLeast(age, at));
  }

  /**
   * Measures the age of a grant, for its actor to record. Until the actor has said what it
   * {@linkplain #aged wrote}, no keepalive is answered. Empty if there is no such grant.
   */
  public synchronized Optional<Duration> measure(LockKey key, FencingToken token) {
    Held known = held.get(key);
    if (known == null || known.ageing == null || !known.token.equals(token)) {
      deadlines.remove(new ShardDeadline.Age(key, token));
      return Optional.empty();
    }
    return Optional.of(known.ageing.measure(clock.getAsLong()));
  }

  /** Takes the state of the lock in the journal, when no measured age is in flight. */
  public synchronized void aged(LockKey key, LockState state) {
    Held known = held.get(key);
    Holder holder = known == null ? null : state.holder(known.token).orElse(null);
    if (known != null && known.ageing != null && holder != null) {
      known.ageing.recorded(holder.aged());
      ShardDeadline.Age age = new ShardDeadline.Age(key, known.token);
      deadlines.remove(age);
      plan(age, known.ageing);
    }
  }

  /** Removes a grant that has ended. */
  public synchronized void ended(LockKey key, FencingToken token) {
    Held before = held.get(key);
    if (before != null && before.token.equals(token)) {
      held.remove(key);
    }
    deadlines.remove(new ShardDeadline.Grant(key, token));
    deadlines.remove(new ShardDeadline.Age(key, token));
  }

  /** Shortens the wait of a resent request to this time from now. */
  public synchronized void waitsAtMost(LockKey key, RequestId request, WaitTimeout waitTimeout) {
    waiters.waitsAtMost(key, request, waitTimeout);
  }

  /** Removes a request that has left the queue. */
  public synchronized void left(LockKey key, RequestId request) {
    waiters.left(key, request);
  }

  /** True if this wait is due and has not ended. A late notice may belong to an earlier wait. */
  public synchronized boolean isDue(LockKey key, LockCommand.Leave leave) {
    return deadlines.isDue(ShardDeadline.of(key, leave));
  }

  /** Notes that a holder or waiter of this lock has lost its lease. */
  public synchronized void orphans(LockKey key) {
    orphaned.add(key);
  }

  /** Returns the number of {@linkplain #orphans lost leases} so far. */
  public synchronized long ends() {
    return orphaned.lostLeases();
  }

  /** Notes that a lock has removed everything that depended on the first lost leases. */
  public synchronized void orphansRemoved(LockKey key, long upTo) {
    orphaned.orphansRemoved(key, upTo);
  }

  /** Adds a shared lease from the journal, with its full time and the doubt. */
  public synchronized void leaseFound(LeaseLife lease, Duration ttl, Duration doubt) {
    leases.found(lease, ttl, doubt);
  }

  /** Adds a new shared lease. */
  public synchronized void leaseBegan(LeaseLife lease, Duration ttl) {
    leases.began(lease, ttl);
  }

  /** Removes a shared lease that has ended. */
  public synchronized void leaseEnded(LeaseLife lease) {
    leases.ended(lease);
  }

  /** Renews a deadline by a keepalive that comes now. */
  public Optional<Renewal.Answer> renew(Renewal renewal) {
    return renew(renewal, Duration.ZERO);
  }

  /**
   * Renews a deadline.
   *
   * @param age of the keepalive: it counts from when it came, however late it is judged
   * @return empty if this node cannot decide now; the caller asks again
   */
  public synchronized Optional<Renewal.Answer> renew(Renewal renewal, Duration age) {
    if (renewal instanceof Renewal.Look look) {
      return Optional.of(look(look.at()));
    } else if (!isSure.getAsBoolean()) {
      return Optional.empty();
    }
    long at = clock.getAsLong() - age.toNanos();
    Renewal.Answer answer;
    if (renewal instanceof Renewal.OfGrant grant) {
      answer = renew(grant, at);
    } else if (renewal instanceof Renewal.OfRequest request) {
      answer = renew(request, at);
    } else if (renewal instanceof Renewal.OfLease lease) {
      answer = leases.has(lease) ? leases.renew(lease, at) : notThere();
    } else {
      throw new AssertionError(renewal);
    }
    return Optional.ofNullable(answer);
  }

  /* For display only. An unknown target has no known time. */
  private Renewal.Answer look(Renewal at) {
    OptionalLong left = OptionalLong.empty();
    if (at instanceof Renewal.OfGrant grant) {
      left = deadlines.left(new ShardDeadline.Grant(grant.key(), grant.token()), clock.getAsLong());
    } else if (at instanceof Renewal.OfLease lease) {
      left = leases.left(lease);
    } else if (!(at instanceof Renewal.OfRequest || at instanceof Renewal.Look)) {
      throw new AssertionError(at);
    }
    return left.isEmpty()
        ? Renewal.Answer.DEAD
        : new Renewal.Answer(true, left.getAsLong() / 1_000_000, 0, 0, Revision.NONE);
  }

  private Renewal.@Nullable Answer renew(Renewal.OfGrant grant, long at) {
    Held known = held.get(grant.key());
    return known != null && known.token.equals(grant.token())
        ? renew(grant.key(), known, at)
        : notThere();
  }

  private Renewal.@Nullable Answer renew(Renewal.OfRequest request, long at) {
    if (waiters.has(request)) {
      return waiters.renew(request, at);
    }
    Held known = held.get(request.key());
    return known != null && known.request.equals(request.request())
        ? renew(request.key(), known, at)
        : notThere();
  }

  private Renewal.@Nullable Answer renew(LockKey key, Held known, long at) {
    // The lock may not have heard of the end of the lease yet.
    boolean counts =
        known.life.lease().isPresent()
            ? !orphaned.has(key)
            : !deadlines.isDue(new ShardDeadline.Orphans(key))
                && deadlines.renew(
                    new ShardDeadline.Grant(key, known.token),
                    at + known.life.ttl().toDuration().toNanos())
                && mayAnswer(new ShardDeadline.Age(key, known.token), known.ageing, at);
    return counts
        ? new Renewal.Answer(true, ownTtlMs(known.life), known.token.value(), 0, Revision.NONE)
        : null;
  }

  /**
   * Notes a keepalive. True if it may be answered; else the recorded age must be set back first.
   */
  private boolean mayAnswer(ShardDeadline.Age age, @Nullable GrantAge ageing, long at) {
    if (ageing == null) {
      return true;
    }
    ageing.keepalive(at);
    if (ageing.mayAnswer()) {
      plan(age, ageing);
      return true;
    }
    ageing
        .nextAt(clock.getAsLong())
        .ifPresent(
            next -> {
              deadlines.atLeast(age, next);
              deadlines.atMost(age, next);
            });
    return false;
  }

  private Renewal.@Nullable Answer notThere() {
    return complete ? Renewal.Answer.DEAD : null;
  }

  static long ownTtlMs(Lifetime life) {
    return life.lease().isPresent() ? 0 : life.ttl().millis();
  }

  private void atLeast(ShardDeadline deadline, Duration fromNow) {
    deadlines.atLeast(deadline, clock.getAsLong() + fromNow.toNanos());
  }

  /** Notes the position of the last recorded outcome of a request without a session. */
  synchronized void note(long order) {
    retention.note(clock.getAsLong(), order);
  }

  /** Returns the position before which outcomes of requests without a session have expired. */
  public synchronized long forgetBefore() {
    return retention.forgetBefore();
  }

  /** Returns the items that are due now. Each is reported again until it has ended. */
  public synchronized List<ShardDeadline> due() {
    return deadlines.due(clock.getAsLong(), MAX_IN_PROGRESS);
  }

  /** Returns the number of grants, waiters and leases. */
  public synchronized int size() {
    return held.size() + waiters.size() + leases.size();
  }
}
