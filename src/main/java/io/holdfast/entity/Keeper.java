package io.holdfast.entity;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.LeaseLife;
import io.holdfast.lock.Life;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.LockState;
import io.holdfast.lock.Patience;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Waiter;
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
 * All deadlines of one shard under one epoch of this node: of grants, waiters and leases. Signs of
 * life move them here, without a message to an actor and without a commit. Safe for use by many
 * threads.
 *
 * <p>Guarantee, I4 ServerNeverEarly: what was told to live for a ttl is not told as due within it,
 * counted from the call that said so. Once something was told as due no sign of life is answered:
 * its end may be committed any moment, and whoever asks again hears what became of it.
 */
final class Keeper {

  /** What is due and was not ended is told again after this time. */
  static final Duration REPEAT_AFTER = Duration.ofSeconds(1);

  /** How much may be due and under way at once: a large lease's end must not hold up all else. */
  static final int MAX_UNDER_WAY = 64;

  /** A grant; and how its ttl passes, if it has one of its own. */
  private record Held(FencingToken token, RequestId request, Life life, @Nullable Ageing ageing) {}

  private record Place(LockKey key, RequestId request) {}

  private final BooleanSupplier isSure;
  private final LongSupplier clock;
  private final Deadlines<Timed> deadlines = new Deadlines<>(REPEAT_AFTER.toNanos());
  private final Map<LockKey, Held> held = new HashMap<>();
  private final Map<Place, Life> waiting = new HashMap<>();
  private final KeptLeases leases;
  private final Map<LockKey, Long> orphaned = new HashMap<>();

  /** While the past is being learned: the locks of which their actors have told what they are. */
  private final Set<LockKey> told = new HashSet<>();

  private final Memory memory = new Memory();

  /** Those who are told when their wait in line ends. */
  final Askers askers = new Askers();

  private long ends;
  private boolean complete;

  /**
   * Nothing is kept yet.
   *
   * @param isSure whether nobody else can own the shard now
   * @param clock monotonic, in nanoseconds
   */
  Keeper(BooleanSupplier isSure, LongSupplier clock) {
    this.isSure = isSure;
    this.clock = clock;
    leases = new KeptLeases(deadlines, clock);
  }

  /** Everything that was there before this ownership is known: what is not known is not there. */
  synchronized void complete() {
    complete = true;
    leases.complete();
    told.clear();
  }

  /**
   * A lock of before this ownership. Everyone in it has the full time, and what was in doubt. A
   * grant that is known to have aged has what is left instead.
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
   * What a lock is, by its actor that has just recovered. The one before it may have ended with a
   * write on its way, and then nobody else tells what came of that.
   */
  synchronized void recovered(LockKey key, LockState state, Duration doubt, boolean hasOrphans) {
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
   * A lock has become this. What has ended is not kept any more; what is new has its full time, and
   * what was in doubt. What is known already keeps the time that it has, but that of a grant whose
   * count has changed begins anew.
   *
   * @param before as far as that is known; those who waited then and wait no more have left
   */
  synchronized void changed(LockKey key, LockState before, LockState after, Duration doubt) {
    Held known = held.get(key);
    if (known != null && after.holder(known.token).isEmpty()) {
      ended(key, known.token);
    }
    for (Holder holder : after.holders()) {
      boolean isNew = known == null || !known.token.equals(holder.token());
      if (isNew || isCounted(before, holder)) {
        hold(key, holder, doubt);
      }
    }
    LineChange.compare(
        before.waiters(),
        after.waiters(),
        gone -> left(key, gone.request().id()),
        come -> wait(key, come, doubt));
  }

  private static boolean isCounted(LockState before, Holder holder) {
    return before.holder(holder.token()).filter(was -> was.count() != holder.count()).isPresent();
  }

  private void hold(LockKey key, Holder holder, Duration doubt) {
    Held before = held.get(key);
    Ageing ageing = before == null ? null : before.ageing;
    if (holder.life() instanceof Life.Own own) {
      Duration ttl = own.ttl().toDuration();
      // Nobody was told that it lives on since it was found to have aged: of that is no doubt.
      Duration left = holder.aged().isZero() ? ttl.plus(doubt) : ttl.minus(holder.aged());
      long now = clock.getAsLong();
      if (ageing == null) {
        ageing = new Ageing(own.ttl(), holder.aged(), now + left.toNanos() - ttl.toNanos());
      } else {
        ageing.written(now);
      }
      atLeast(new Timed.Grant(key, holder.token()), left);
      plan(new Timed.Age(key, holder.token()), ageing);
    }
    held.put(key, new Held(holder.token(), holder.request().id(), holder.life(), ageing));
  }

  private void plan(Timed.Age age, Ageing ageing) {
    ageing.nextAt(clock.getAsLong()).ifPresent(at -> deadlines.atLeast(age, at));
  }

  /** How much of a grant's own ttl has passed. No sign of life is answered until it is written. */
  synchronized Optional<Duration> measure(LockKey key, FencingToken token) {
    Held known = held.get(key);
    if (known == null || known.ageing == null || !known.token.equals(token)) {
      deadlines.remove(new Timed.Age(key, token));
      return Optional.empty();
    }
    return Optional.of(known.ageing.measure(clock.getAsLong()));
  }

  /** The lock is this in the journal, and nothing that was measured is on its way there. */
  synchronized void aged(LockKey key, LockState state) {
    Held known = held.get(key);
    Holder holder = known == null ? null : state.holder(known.token).orElse(null);
    if (known != null && known.ageing != null && holder != null) {
      known.ageing.recorded(holder.aged());
      Timed.Age age = new Timed.Age(key, known.token);
      deadlines.remove(age);
      plan(age, known.ageing);
    }
  }

  /** A grant has ended. */
  synchronized void ended(LockKey key, FencingToken token) {
    Held before = held.get(key);
    if (before != null && before.token.equals(token)) {
      held.remove(key);
    }
    deadlines.remove(new Timed.Grant(key, token));
    deadlines.remove(new Timed.Age(key, token));
  }

  private void wait(LockKey key, Waiter waiter, Duration doubt) {
    RequestId request = waiter.request().id();
    if (waiting.putIfAbsent(new Place(key, request), waiter.life()) != null) {
      return;
    }
    atLeast(new Timed.Patient(key, request), waiter.patience().toDuration().plus(doubt));
    if (waiter.life() instanceof Life.Own own) {
      atLeast(new Timed.Living(key, request), own.ttl().toDuration().plus(doubt));
    }
  }

  /** A request that waits was sent again, and waits no longer than this time from now on. */
  synchronized void waitsAtMost(LockKey key, RequestId request, Patience patience) {
    deadlines.atMost(
        new Timed.Patient(key, request), clock.getAsLong() + patience.toDuration().toNanos());
  }

  /** A request waits no longer. */
  synchronized void left(LockKey key, RequestId request) {
    waiting.remove(new Place(key, request));
    deadlines.remove(new Timed.Patient(key, request));
    deadlines.remove(new Timed.Living(key, request));
  }

  /**
   * True if this wait was told as due, and has not ended: a word may come late, in the next one.
   */
  synchronized boolean isDue(LockKey key, LockCommand.Leave leave) {
    return deadlines.isDue(Timed.of(key, leave));
  }

  /** Something of this lock hung on a lease that has ended. */
  synchronized void orphans(LockKey key) {
    ends++;
    orphaned.put(key, ends);
    deadlines.atLeast(new Timed.Orphans(key), clock.getAsLong());
  }

  /** How many ends of leases were heard of so far, each for each lock that hung on it. */
  synchronized long ends() {
    return ends;
  }

  /**
   * Nothing of this lock hangs any more on a lease whose end was heard of before there were more
   * than so many. One that ended later, while that was written, is told as due again, and at once.
   */
  synchronized void swept(LockKey key, long upTo) {
    Timed orphans = new Timed.Orphans(key);
    deadlines.remove(orphans);
    if (orphaned.getOrDefault(key, 0L) > upTo) {
      deadlines.atLeast(orphans, clock.getAsLong());
    } else {
      orphaned.remove(key);
    }
  }

  /** A shared lease of before this ownership. It has the full time, and what was in doubt. */
  synchronized void leaseFound(LeaseLife lease, Duration ttl, Duration doubt) {
    leases.found(lease, ttl, doubt);
  }

  /** A shared lease begins. */
  synchronized void leaseBegan(LeaseLife lease, Duration ttl) {
    leases.began(lease, ttl);
  }

  /** A shared lease has ended. */
  synchronized void leaseEnded(LeaseLife lease) {
    leases.ended(lease);
  }

  /**
   * A sign of life came.
   *
   * @return empty if this node cannot say now whether it counts: to be asked again
   */
  synchronized Optional<Renewal.Answer> renew(Renewal renewal) {
    if (renewal instanceof Renewal.Look look) {
      return Optional.of(look(look.at()));
    } else if (!isSure.getAsBoolean()) {
      return Optional.empty();
    }
    Renewal.Answer answer;
    if (renewal instanceof Renewal.OfGrant grant) {
      answer = renew(grant);
    } else if (renewal instanceof Renewal.OfRequest request) {
      answer = renew(request);
    } else if (renewal instanceof Renewal.OfLease lease) {
      answer = leases.has(lease) ? leases.renew(lease) : notThere();
    } else {
      throw new AssertionError(renewal);
    }
    return Optional.ofNullable(answer);
  }

  /* Only for showing: whoever is not known has no time that is known. */
  private Renewal.Answer look(Renewal at) {
    OptionalLong left = OptionalLong.empty();
    if (at instanceof Renewal.OfGrant grant) {
      left = deadlines.left(new Timed.Grant(grant.key(), grant.token()), clock.getAsLong());
    } else if (at instanceof Renewal.OfLease lease) {
      left = leases.left(lease);
    } else if (!(at instanceof Renewal.OfRequest || at instanceof Renewal.Look)) {
      throw new AssertionError(at);
    }
    return left.isEmpty()
        ? Renewal.Answer.DEAD
        : new Renewal.Answer(true, left.getAsLong() / 1_000_000, 0, 0, 0);
  }

  private Renewal.@Nullable Answer renew(Renewal.OfGrant grant) {
    Held known = held.get(grant.key());
    return known != null && known.token.equals(grant.token())
        ? renew(grant.key(), known)
        : notThere();
  }

  private Renewal.@Nullable Answer renew(Renewal.OfRequest request) {
    Life life = waiting.get(new Place(request.key(), request.request()));
    if (life == null) {
      Held known = held.get(request.key());
      return known != null && known.request.equals(request.request())
          ? renew(request.key(), known)
          : notThere();
    }
    boolean counts =
        life.lease().isPresent()
            || renew(new Timed.Living(request.key(), request.request()), life.ttl().toDuration());
    return counts && !deadlines.isDue(new Timed.Patient(request.key(), request.request()))
        ? new Renewal.Answer(true, ownTtlMs(life), 0, 0, 0)
        : null;
  }

  private Renewal.@Nullable Answer renew(LockKey key, Held known) {
    // The end of a lease may wait for its turn to be told to the lock.
    boolean counts =
        known.life.lease().isPresent()
            ? !orphaned.containsKey(key)
            : !deadlines.isDue(new Timed.Orphans(key))
                && renew(new Timed.Grant(key, known.token), known.life.ttl().toDuration())
                && isYoung(new Timed.Age(key, known.token), known.ageing);
    return counts
        ? new Renewal.Answer(true, ownTtlMs(known.life), known.token.value(), 0, 0)
        : null;
  }

  /** A sign of life came. What the journal has of the silence before is to be set back first. */
  private boolean isYoung(Timed.Age age, @Nullable Ageing ageing) {
    if (ageing == null) {
      return true;
    }
    long now = clock.getAsLong();
    ageing.sign(now);
    if (ageing.mayAnswer()) {
      plan(age, ageing);
      return true;
    }
    deadlines.atLeast(age, now);
    deadlines.atMost(age, now);
    return false;
  }

  private boolean renew(Timed what, Duration ttl) {
    if (deadlines.isDue(what)) {
      return false;
    }
    atLeast(what, ttl);
    return true;
  }

  private Renewal.@Nullable Answer notThere() {
    return complete ? Renewal.Answer.DEAD : null;
  }

  private static long ownTtlMs(Life life) {
    return life.lease().isPresent() ? 0 : life.ttl().millis();
  }

  private void atLeast(Timed what, Duration fromNow) {
    deadlines.atLeast(what, clock.getAsLong() + fromNow.toNanos());
  }

  /** The last outcome of a request without a session that the shard keeps is at this place. */
  synchronized void note(long order) {
    memory.note(clock.getAsLong(), order);
  }

  /** Outcomes of requests without a session before this place are needed no more. */
  synchronized long forgetBefore() {
    return memory.forgetBefore();
  }

  /** What is due now, in turns. Each is told again until it has ended. */
  synchronized List<Timed> due() {
    return deadlines.due(clock.getAsLong(), MAX_UNDER_WAY);
  }

  /** How much is kept. */
  synchronized int size() {
    return held.size() + waiting.size() + leases.size();
  }
}
