package io.holdfast.entity;

import io.holdfast.coordination.OwnedShard;
import io.holdfast.coordination.ShardOwnership;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.LeaseProto;
import io.holdfast.journal.LockHistory;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AttachedId;
import io.holdfast.journal.state.Bytes;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.LeaseEnd;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.journal.state.Turn;
import io.holdfast.lock.LeaseLife;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.LockState;
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
 * The keepers of the shards that this node owns. One is made as soon as the node owns a shard, and
 * learns from the journal what was held before.
 */
final class Keepers implements ShardKeeping {

  private static final Logger log = LoggerFactory.getLogger(Keepers.class);

  /** How often deadlines are looked at: about how late an end may be noticed. */
  static final Duration TICK = Duration.ofMillis(20);

  /** How many ids are read of the journal at once. */
  private static final int PAGE = 1_000;

  /** What is written to have old outcomes go: an id that is nothing before it and after it. */
  private static final String FORGETS = "forget|";

  private record Kept(OwnedShard owned, Keeper keeper, AtomicBoolean forgets) {}

  private final Agenda agenda;
  private final LongSupplier clock;
  private final KeyShards<ShardMessage> shards;
  private final ShardOwnership ownership;
  private final JournalStore store;
  private final BiConsumer<OwnedShard, Timed> due;
  private final Map<Integer, Kept> kept = new ConcurrentHashMap<>();

  /**
   * Nothing is kept until {@link #begin}.
   *
   * @param clock monotonic, in nanoseconds
   * @param due told what is due under which ownership
   */
  Keepers(
      Agenda agenda,
      LongSupplier clock,
      int shards,
      ShardOwnership ownership,
      JournalStore store,
      BiConsumer<OwnedShard, Timed> due) {
    this.agenda = agenda;
    this.clock = clock;
    this.shards = new KeyShards<>(shards);
    this.ownership = ownership;
    this.store = store;
    this.due = due;
  }

  void begin() {
    agenda.every(TICK, this::tick);
  }

  private void tick() {
    for (int shard = 0; shard < shards.count(); shard++) {
      try {
        Optional<OwnedShard> owned = ownership.of(shard);
        if (owned.isPresent()) {
          Kept now = kept(owned.get());
          now.keeper.note(store.version().lastOrder(shard));
          now.keeper.due().forEach(what -> due.accept(owned.get(), what));
          forget(now);
        } else {
          kept.remove(shard);
        }
      } catch (RuntimeException e) { // it would end the timer
        log.error("the deadlines of shard [{}] were not looked at: {}", shard, e.getMessage(), e);
      }
    }
  }

  /**
   * Outcomes go with whatever is written. Where nothing is, they would stay: in a full state, in
   * which nothing is granted, for ever. So some are let go for their own sake, as often as needed.
   */
  private void forget(Kept now) {
    int shard = now.owned.shard();
    long before = now.keeper.forgetBefore();
    JournalVersion version = store.version();
    long first = version.lastOrder(shard) - version.requestCount(shard) + 1;
    if (first < before && now.forgets.compareAndSet(false, true)) {
      var unused =
          store
              .append(shard, now.owned.epoch(), turn -> forgetting(turn, before))
              .whenComplete((verdict, failure) -> now.forgets.set(false));
    }
  }

  private static Append forgetting(Turn turn, long before) {
    return new Append(
        turn,
        FORGETS,
        1,
        Bytes.EMPTY,
        /* state= */ null,
        new Draft(
            List.of(new PublicChange.Absent(Bytes.EMPTY)),
            /* leaseChange= */ null,
            List.of(),
            List.of(),
            List.of(),
            /* tombstone= */ true,
            before,
            Need.NOTHING,
            /* waiters= */ 0));
  }

  /** The keeper of a shard under this ownership. */
  Keeper of(OwnedShard owned) {
    return kept(owned).keeper;
  }

  private Kept kept(OwnedShard owned) {
    Kept now = kept.get(owned.shard());
    if (now != null && now.owned.epoch() == owned.epoch()) {
      return now;
    }
    return kept.compute(
        owned.shard(),
        (shard, before) ->
            before != null && before.owned.epoch() >= owned.epoch() ? before : make(owned));
  }

  @Override
  public Optional<Keeper> of(int shard) {
    return ownership.of(shard).map(this::of);
  }

  @Override
  public CompletionStage<JournalVersion> confirmed() {
    return store.confirmed();
  }

  private Kept make(OwnedShard owned) {
    Keeper keeper = new Keeper(owned::isSure, clock);
    learn(owned, keeper);
    return new Kept(owned, keeper, new AtomicBoolean());
  }

  /** Whatever was committed under an owner before is in the node's own journal by now. */
  private void learn(OwnedShard owned, Keeper keeper) {
    var unused =
        store
            .settled(owned.shard())
            .whenCompleteAsync(
                (version, failure) -> {
                  if (failure == null) {
                    Past past = new Past(version, owned, keeper);
                    each(version, owned.shard(), past::learn, keeper::complete, past::again);
                  } else {
                    learnLater(owned, keeper);
                  }
                },
                agenda::soon);
  }

  private void learnLater(OwnedShard owned, Keeper keeper) {
    if (ownership.of(owned.shard()).filter(now -> now.epoch() == owned.epoch()).isPresent()) {
      agenda.after(Keeper.REPEAT_AFTER, () -> learn(owned, keeper));
    }
  }

  /** Page by page: a shard may have very much, and others need the thread. */
  private void each(
      JournalVersion version, int shard, Consumer<String> what, Runnable then, Runnable onFailure) {
    each(version, shard, "", what, then, onFailure);
  }

  private void each(
      JournalVersion version,
      int shard,
      String after,
      Consumer<String> what,
      Runnable then,
      Runnable onFailure) {
    List<String> ids = version.liveKeys(shard, after, PAGE);
    try {
      ids.forEach(what);
    } catch (RuntimeException e) {
      log.error("shard [{}] cannot be read: {}", shard, e.getMessage(), e);
      onFailure.run();
      return;
    }
    if (ids.size() < PAGE) {
      then.run();
    } else {
      String last = ids.get(PAGE - 1);
      agenda.soon(() -> each(version, shard, last, what, then, onFailure));
    }
  }

  /** What a shard's keeper learns of a version; its actors are at work meanwhile. */
  private final class Past {

    private final JournalVersion version;
    private final OwnedShard owned;
    private final Keeper keeper;
    private final Duration doubt;

    Past(JournalVersion version, OwnedShard owned, Keeper keeper) {
      this.version = version;
      this.owned = owned;
      this.keeper = keeper;
      this.doubt = owned.doubt();
    }

    void learn(String id) {
      Ids.lock(id).ifPresent(key -> lock(key, id));
      Ids.lease(id).ifPresent(lease -> lease(lease, id));
    }

    private void lock(LockKey key, String id) {
      LockState state = LockHistory.read(version, owned.shard(), id);
      keeper.found(key, state, doubt, hasOrphans(version, state));
    }

    private void lease(long lease, String id) {
      Optional<PublicRecord> record = version.record(owned.shard(), id);
      version
          .lease(lease)
          .ifPresent(
              incarnation ->
                  keeper.leaseFound(
                      new LeaseLife(lease, incarnation),
                      LeaseProto.terms(record.orElseThrow().parts().get(0).content())
                          .ttl()
                          .toDuration(),
                      doubt));
    }

    void again() {
      learnLater(owned, keeper);
    }
  }

  /** Whether something of a lock hangs on a lease that has ended. */
  static boolean hasOrphans(JournalVersion version, LockState state) {
    return state.holders().stream().anyMatch(h -> Leases.hasEnded(version, h.life()))
        || !Leases.ended(version, state.waiters()).isEmpty();
  }

  /** Of what the log ended before, nobody was told: what hung on it is looked for. */
  @Override
  public void restored() {
    JournalVersion version = store.version();
    for (Kept each : List.copyOf(kept.values())) {
      agenda.soon(() -> findOrphans(version, each));
    }
  }

  private void findOrphans(JournalVersion version, Kept where) {
    int shard = where.owned.shard();
    each(
        version,
        shard,
        id ->
            Ids.lock(id)
                .filter(key -> hasOrphans(version, LockHistory.read(version, shard, id)))
                .ifPresent(where.keeper::orphans),
        () -> {},
        () -> {});
  }

  /**
   * The log has ended a lease. Its keeper hears of it here, since the actor that wrote it may have
   * ended, or be another owner's; and the locks that hung on it by the keepers of theirs.
   */
  @Override
  public void ended(LeaseEnd end) {
    LeaseLife lease = new LeaseLife(end.lease().id(), end.lease().incarnation());
    of(shards.number(Ids.entityOfLease(lease.id()))).ifPresent(keeper -> keeper.leaseEnded(lease));
    for (AttachedId id : end.had()) {
      Ids.lock(id.persistenceId())
          .ifPresent(key -> of(id.shard()).ifPresent(keeper -> keeper.orphans(key)));
    }
  }
}
