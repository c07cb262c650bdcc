package io.holdfast.keeper;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.coordination.ShardOwnership;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.LeaseEndFeed;
import io.holdfast.journal.LeaseProto;
import io.holdfast.journal.LockHistoryReader;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.AttachedId;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.LeaseEnd;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.rules.LockState;
import io.holdfast.sharding.KeyShards;
import io.holdfast.sharding.LocalKeepers;
import io.holdfast.sharding.TaskScheduler;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.RenewalMessage;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deadline keepers of the shards that this node owns. A keeper is created as soon as the node
 * owns its shard, and reads the locks and leases of the shard from the journal.
 */
public final class DeadlineKeepers implements LocalKeepers, LeaseEndFeed.Listener {

  private static final Logger log = LoggerFactory.getLogger(DeadlineKeepers.class);

  /** The pause between two looks at the deadlines, by which an end may be late. */
  static final Duration TICK = Duration.ofMillis(20);

  /** The number of ids that are read from the journal at once. */
  private static final int PAGE = 1_000;

  /** The id of a write that only drops old outcomes. It has no record before or after. */
  private static final PersistenceId FORGETTING = new PersistenceId("forget|");

  private record Kept(OwnedShard owned, DeadlineKeeper keeper, AtomicBoolean forgets) {}

  private final TaskScheduler scheduler;
  private final LongSupplier clock;
  private final KeyShards<ShardMessage> shards;
  private final ShardOwnership ownership;
  private final JournalStore store;
  private final BiConsumer<OwnedShard, ShardDeadline> due;
  private final Map<ShardId, Kept> kept = new ConcurrentHashMap<>();

  /**
   * Creates it without keepers, until {@link #begin}.
   *
   * @param clock monotonic, in nanoseconds
   * @param due receives due items, each with its ownership
   */
  public DeadlineKeepers(
      TaskScheduler scheduler,
      LongSupplier clock,
      int shards,
      ShardOwnership ownership,
      JournalStore store,
      BiConsumer<OwnedShard, ShardDeadline> due) {
    this.scheduler = scheduler;
    this.clock = clock;
    this.shards = new KeyShards<>(shards);
    this.ownership = ownership;
    this.store = store;
    this.due = due;
  }

  public void begin() {
    scheduler.every(TICK, this::tick);
  }

  private void tick() {
    for (ShardId shard : ShardId.range(shards.count())) {
      try {
        Optional<OwnedShard> owned = ownership.of(shard);
        if (owned.isPresent()) {
          Kept now = kept(owned.get());
          now.keeper.note(store.version().lastOrder(shard));
          now.keeper.due().forEach(item -> due.accept(owned.get(), item));
          forget(now);
        } else {
          kept.remove(shard);
        }
      } catch (RuntimeException e) { // it would end the timer
        log.error(
            "failed to check the deadlines of shard [{}]: {}", shard.value(), e.getMessage(), e);
      }
    }
  }

  /**
   * Drops expired outcomes. Other writes drop them too, but without writes they would stay, in a
   * full state for ever.
   */
  private void forget(Kept now) {
    ShardId shard = now.owned.shard();
    long before = now.keeper.forgetBefore();
    JournalVersion version = store.version();
    long first = version.lastOrder(shard) - version.requestCount(shard) + 1;
    if (first < before && now.forgets.compareAndSet(false, true)) {
      var unused =
          store
              .append(shard, now.owned.epoch(), appendId -> forgetting(appendId, before))
              .whenComplete((verdict, failure) -> now.forgets.set(false));
    }
  }

  private static Append forgetting(AppendId appendId, long before) {
    return new Append(
        appendId,
        FORGETTING,
        1,
        Bytes.EMPTY,
        /* state= */ null,
        new Draft(
            List.of(new PublicChange.Absent(Bytes.EMPTY)),
            /* leaseChange= */ null,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            /* tombstone= */ true,
            before,
            Need.NOTHING,
            /* waiters= */ 0));
  }

  /** Returns the keeper of a shard under this ownership. */
  public DeadlineKeeper of(OwnedShard owned) {
    return kept(owned).keeper;
  }

  private Kept kept(OwnedShard owned) {
    Kept now = kept.get(owned.shard());
    if (now != null && now.owned.epoch().equals(owned.epoch())) {
      return now;
    }
    return kept.compute(
        owned.shard(),
        (shard, before) ->
            before != null && before.owned.epoch().compareTo(owned.epoch()) >= 0
                ? before
                : make(owned));
  }

  /** Returns the keeper of a shard, if this node owns it. */
  Optional<DeadlineKeeper> of(ShardId shard) {
    return ownership.of(shard).map(this::of);
  }

  @Override
  public Optional<Renewal.Answer> renew(ShardId shard, Renewal renewal, Duration age) {
    return of(shard).flatMap(keeper -> keeper.renew(renewal, age));
  }

  @Override
  public CompletionStage<List<RenewalMessage.Item>> confirmedDead(List<RenewalMessage.Item> items) {
    return store
        .confirmed()
        .thenApply(
            version ->
                items.stream()
                    .filter(item -> !RenewalLookup.has(version, item.shard(), item.renewal()))
                    .toList());
  }

  private Kept make(OwnedShard owned) {
    DeadlineKeeper keeper = new DeadlineKeeper(owned::isSure, clock);
    load(owned, keeper);
    return new Kept(owned, keeper, new AtomicBoolean());
  }

  /** Reads the journal, once it has everything that former owners committed. */
  private void load(OwnedShard owned, DeadlineKeeper keeper) {
    var unused =
        store
            .settled(owned.shard())
            .whenCompleteAsync(
                (version, failure) -> {
                  if (failure == null) {
                    Loader loader = new Loader(version, owned, keeper);
                    each(version, owned.shard(), loader::load, keeper::complete, loader::retry);
                  } else {
                    loadLater(owned, keeper);
                  }
                },
                scheduler::soon);
  }

  private void loadLater(OwnedShard owned, DeadlineKeeper keeper) {
    if (ownership.of(owned.shard()).filter(now -> now.epoch().equals(owned.epoch())).isPresent()) {
      scheduler.after(DeadlineKeeper.REPEAT_AFTER, () -> load(owned, keeper));
    }
  }

  /** Reads page by page: a shard may be large, and others need the thread. */
  private void each(
      JournalVersion version,
      ShardId shard,
      Consumer<PersistenceId> action,
      Runnable then,
      Runnable onFailure) {
    each(version, shard, "", action, then, onFailure);
  }

  private void each(
      JournalVersion version,
      ShardId shard,
      String after,
      Consumer<PersistenceId> action,
      Runnable then,
      Runnable onFailure) {
    List<PersistenceId> ids = version.liveIds(shard, after, PAGE);
    try {
      ids.forEach(action);
    } catch (RuntimeException e) {
      log.error("shard [{}] cannot be read: {}", shard.value(), e.getMessage(), e);
      onFailure.run();
      return;
    }
    if (ids.size() < PAGE) {
      then.run();
    } else {
      String last = ids.get(PAGE - 1).value();
      scheduler.soon(() -> each(version, shard, last, action, then, onFailure));
    }
  }

  /** Loads a keeper from one version of the journal, while the actors are already running. */
  private final class Loader {

    private final JournalVersion version;
    private final OwnedShard owned;
    private final DeadlineKeeper keeper;
    private final Duration doubt;

    Loader(JournalVersion version, OwnedShard owned, DeadlineKeeper keeper) {
      this.version = version;
      this.owned = owned;
      this.keeper = keeper;
      this.doubt = owned.doubt();
    }

    void load(PersistenceId id) {
      EntityIds.lock(id).ifPresent(key -> lock(key, id));
      EntityIds.lease(id).ifPresent(lease -> lease(lease, id));
    }

    private void lock(LockKey key, PersistenceId id) {
      LockState state = LockHistoryReader.read(version, owned.shard(), id);
      keeper.found(key, state, doubt, hasOrphans(version, state));
    }

    private void lease(LeaseId lease, PersistenceId id) {
      Optional<PublicRecord> record = version.record(owned.shard(), id);
      version
          .lease(lease)
          .ifPresent(
              life ->
                  keeper.leaseFound(
                      life,
                      LeaseProto.terms(record.orElseThrow().parts().get(0).content())
                          .ttl()
                          .toDuration(),
                      doubt));
    }

    void retry() {
      loadLater(owned, keeper);
    }
  }

  /** True if a holder or waiter depends on an ended lease. */
  public static boolean hasOrphans(JournalVersion version, LockState state) {
    return state.holders().stream().anyMatch(h -> EndedLeases.hasEnded(version, h.life()))
        || !EndedLeases.ended(version, state.waiters()).isEmpty();
  }

  /** Looks for orphans of leases that ended unnoticed, before the journal was replaced. */
  @Override
  public void restored() {
    JournalVersion version = store.version();
    for (Kept each : List.copyOf(kept.values())) {
      scheduler.soon(() -> findOrphans(version, each));
    }
  }

  private void findOrphans(JournalVersion version, Kept where) {
    ShardId shard = where.owned.shard();
    each(
        version,
        shard,
        id ->
            EntityIds.lock(id)
                .filter(key -> hasOrphans(version, LockHistoryReader.read(version, shard, id)))
                .ifPresent(where.keeper::orphans),
        () -> {},
        () -> {});
  }

  /**
   * Tells the keepers of a lease and of its locks that the lease has ended. Its actor may have
   * ended since it wrote that, or may be on another node.
   */
  @Override
  public void ended(LeaseEnd end) {
    LeaseLife lease = end.lease();
    of(shards.of(EntityIds.entityOfLease(lease.id())))
        .ifPresent(keeper -> keeper.leaseEnded(lease));
    for (AttachedId id : end.had()) {
      EntityIds.lock(id.persistenceId())
          .ifPresent(key -> of(id.shard()).ifPresent(keeper -> keeper.orphans(key)));
    }
  }
}
