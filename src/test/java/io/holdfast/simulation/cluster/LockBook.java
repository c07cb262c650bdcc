package io.holdfast.simulation.cluster;

import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.PersistedLeaseEvent;
import io.holdfast.journal.PersistedLockEvents;
import io.holdfast.journal.TestAppends;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.LeaseChange;
import io.holdfast.journal.state.Verdict;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lease.rules.LeaseEvent;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.rules.GrantEnding;
import io.holdfast.lock.rules.LockEvent;
import io.holdfast.lock.rules.LockState;
import io.holdfast.simulation.Violation;
import io.holdfast.simulation.journal.Change;
import io.holdfast.simulation.journal.JournalInvariant;
import io.holdfast.simulation.journal.JournalWorld;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The locks and leases by the log, from the first moment that any member applies it. */
final class LockBook implements JournalInvariant.EachEvent {

  private static final String LOCK = "lock|";

  /**
   * A grant, and its end if it has ended.
   *
   * @param order its place among all grants
   */
  record Grant(
      String key,
      long order,
      Lifetime life,
      long sinceUs,
      long endedUs,
      Optional<GrantEnding> ending) {

    boolean isOf(String other) {
      return key.equals(other);
    }

    boolean endedBefore(long us) {
      return ending.isPresent() && endedUs < us;
    }

    Grant ended(GrantEnding how, long atUs) {
      return new Grant(key, order, life, sinceUs, atUs, Optional.of(how));
    }
  }

  /** The end of a lease. */
  record Gone(LeaseEvent.Cause cause, long atUs) {}

  private final JournalWorld world;
  private final Consumer<Consumer<ClusterInvariant>> tell;
  private final Runnable eventOver;
  private final Map<String, Row> rows = new TreeMap<>();
  private final Map<String, ShardId> shards = new TreeMap<>();
  private final Map<LeaseLife, LeaseTerms> alive = new LinkedHashMap<>();
  private final Map<LeaseLife, Gone> gone = new HashMap<>();
  private final Map<Long, Grant> grants = new HashMap<>();
  private final Map<ShardId, Long> acquiredUs = new HashMap<>();
  private final Set<String> queued = new HashSet<>();
  private final Set<String> seen = new HashSet<>();
  private final List<io.holdfast.journal.state.Change> changes = new ArrayList<>();

  LockBook(JournalWorld world, Consumer<Consumer<ClusterInvariant>> tell, Runnable eventOver) {
    this.world = world;
    this.tell = tell;
    this.eventOver = eventOver;
  }

  Row row(String key) {
    return rows.getOrDefault(key, Row.FREE);
  }

  /** All locks that are held, or were. */
  Map<String, Row> rows() {
    return rows;
  }

  ShardId shardOf(String key) {
    return shards.getOrDefault(key, ShardId.of(0));
  }

  boolean isAlive(LeaseLife lease) {
    return alive.containsKey(lease);
  }

  Map<LeaseLife, LeaseTerms> leases() {
    return alive;
  }

  /** The end of a lease; empty if it has not ended. */
  Optional<Gone> gone(LeaseLife lease) {
    return Optional.ofNullable(gone.get(lease));
  }

  boolean isAlive(Lifetime life) {
    return life.lease().map(this::isAlive).orElse(true);
  }

  /** The grant of this token. */
  Optional<Grant> grant(long token) {
    return Optional.ofNullable(grants.get(token));
  }

  /** True if this request has ever waited for the lock. */
  boolean hasQueued(String key, RequestId request) {
    return queued.contains(key + " " + request);
  }

  /** The true time when the shard was acquired last. */
  long acquiredUs(ShardId shard) {
    return acquiredUs.getOrDefault(shard, 0L);
  }

  /** The public changes of locks, in order. */
  List<io.holdfast.journal.state.Change> changes() {
    return changes;
  }

  @Override
  public void coordinated(CoordinationVerdict verdict) {
    if (verdict instanceof CoordinationVerdict.Acquired acquired) {
      acquiredUs.put(acquired.shard(), world.nowUs());
    }
  }

  @Override
  public void changed(List<io.holdfast.journal.state.Change> all) {
    for (io.holdfast.journal.state.Change change : all) {
      if (change.id().value().startsWith(LOCK)) {
        changes.add(change);
        tell.accept(each -> each.changed(change));
      }
    }
  }

  @Override
  public void judged(Append append, List<Change> model, Verdict verdict) {
    if (verdict instanceof Verdict.Applied applied && isNew(append)) {
      if (append.event().size() > 0) { // else it only lets old outcomes go
        Object decided = TestAppends.event(append.event());
        if (decided instanceof PersistedLockEvents ofLock) {
          ofLock.events().forEach(event -> happened(append, event));
        } else if (decided instanceof PersistedLeaseEvent ofLease) {
          happened(append, ofLease.event(), applied.revision().value());
        }
      }
      requireSame(append);
    }
  }

  @Override
  public void entryJudged() {
    tell.accept(ClusterInvariant::entryOver);
  }

  private boolean isNew(Append append) {
    long epoch = append.id().epoch().value();
    long number = append.id().number();
    return seen.add(epoch + "/" + number);
  }

  private void happened(Append append, LockEvent event) {
    String key = append.persistenceId().value().substring(LOCK.length());
    Row before = row(key);
    Row after = before.after(event);
    Step step = new Step(append.id().shard(), key, event, before, after);
    world.scheduler().note(step);
    tell.accept(each -> each.happened(step));
    step.ended()
        .ifPresent(
            ended ->
                grants.computeIfPresent(
                    ended.holder().token().value(),
                    (token, grant) -> grant.ended(ended.ending(), world.nowUs())));
    step.granted()
        .ifPresent(
            holder ->
                grants.put(
                    holder.token().value(),
                    new Grant(
                        key,
                        grants.size() + 1L,
                        holder.life(),
                        world.nowUs(),
                        0,
                        Optional.empty())));
    if (event instanceof LockEvent.Queued entered) {
      queued.add(key + " " + entered.waiter().request().id());
    }
    shards.put(key, step.shard());
    rows.put(key, after);
  }

  private void happened(Append append, LeaseEvent event, long revision) {
    event.match(
        new LeaseEvent.Cases<Boolean>() {
          @Override
          public Boolean granted(LeaseEvent.Granted granted) {
            LeaseChange.Begins begins = (LeaseChange.Begins) append.draft().leaseChange();
            LeaseLife life =
                LeaseLife.of(Objects.requireNonNull(begins).id(), new Revision(revision));
            alive.put(life, granted.terms());
            world.scheduler().note(life + " " + granted);
            tell.accept(each -> each.began(life, granted.terms()));
            return true;
          }

          @Override
          public Boolean ended(LeaseEvent.Ended ended) {
            if (append.draft().leaseChange() instanceof LeaseChange.Ends ends) {
              LeaseLife life = ends.lease();
              world.scheduler().note(life + " " + ended);
              tell.accept(each -> each.ended(life, ended.cause()));
              alive.remove(life);
              gone.put(life, new Gone(ended.cause(), world.nowUs()));
            }
            return true;
          }
        });
  }

  /** A state that stands for the history leads to the same. */
  private void requireSame(Append append) {
    LockState lock = TestAppends.state(append.state());
    if (lock != null) {
      Row row = row(append.persistenceId().value().substring(LOCK.length()));
      Row stored = new Row(lock.holder().orElse(null), lock.waiters());
      if (!stored.equals(row)) {
        throw new Violation("I3 NoLostGrant", stored + " stands for a history of " + row);
      }
    }
  }

  @Override
  public void happened() {
    eventOver.run();
  }

  @Override
  public void ended() {
    tell.accept(ClusterInvariant::ended);
  }
}
