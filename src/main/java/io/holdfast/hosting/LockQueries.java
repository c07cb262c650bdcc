package io.holdfast.hosting;

import io.holdfast.coordination.member.Barrier;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.LeaseProto;
import io.holdfast.journal.LockHistoryReader;
import io.holdfast.journal.LockRecordReader;
import io.holdfast.journal.state.AttachedId;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Part;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.keeper.EndedLeases;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Waiter;
import io.holdfast.lock.rules.WaiterQueue;
import io.holdfast.sharding.ShardMap;
import io.holdfast.wire.EntityIds;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads locks and leases from the state that this node has applied, never from the memory of an
 * actor.
 *
 * <p>A linearizable read reflects every change that was answered before the read began. It fails
 * with {@link NoMajority} if the node cannot ensure that.
 */
public final class LockQueries {

  /** Thrown if the node cannot reach a majority, and its state may be stale. */
  public static final class NoMajority extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoMajority() {
      super("this node cannot reach a majority, and its state may be stale");
    }
  }

  /** The result of a read, with the revision of the state. */
  public record Read<T>(Revision revision, T value) {}

  private static final Comparator<String> BY_BYTES =
      Comparator.comparing(text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  private final JournalStore store;
  private final Barrier barrier;
  private final ShardMap shards;
  private final Executor lists;

  /**
   * Creates queries of a store.
   *
   * @param lists runs the reads that may take long
   */
  public LockQueries(JournalStore store, Barrier barrier, ShardMap shards, Executor lists) {
    this.store = store;
    this.barrier = barrier;
    this.shards = shards;
    this.lists = lists;
  }

  /** Returns the living incarnation of a lease, by the state that this node has applied. */
  public Optional<LeaseLife> alive(LeaseId lease) {
    return store.version().lease(lease);
  }

  /** True if a lease has surely ended, by the state that this node has applied. */
  public boolean hasEnded(LeaseLife lease) {
    return EndedLeases.hasEnded(store.version(), lease);
  }

  /** Reads one lock, with at most so many of its waiters. */
  public CompletionStage<Read<LockDetails>> lock(
      LockKey key, boolean linearizable, int waiterLimit) {
    return read(linearizable, version -> lock(version, key, waiterLimit));
  }

  /** Reads the held locks with this prefix after this key, in the order of their bytes. */
  public CompletionStage<Read<List<LockDetails>>> locks(
      String prefix, String after, int limit, boolean linearizable, int waiterLimit) {
    String from = after.isEmpty() ? "" : EntityIds.of(new LockKey(after)).value();
    return list(
        linearizable,
        version ->
            version.list(EntityIds.LOCK + prefix, from, limit).stream()
                .map(record -> lock(version, record, waiterLimit))
                .toList());
  }

  /** Reads a living shared lease, without its keys. */
  public CompletionStage<Read<Optional<LeaseDetails>>> lease(LeaseId id, boolean linearizable) {
    return read(
        linearizable,
        version ->
            version.lease(id).isEmpty()
                ? Optional.empty()
                : version
                    .record(shards.shard(id), EntityIds.ofLease(id))
                    .map(record -> lease(record)));
  }

  /** Reads a living shared lease, with at most so many of its keys after this one. */
  public CompletionStage<Read<Optional<LeaseDetails>>> lease(
      LeaseId id, boolean linearizable, String after, int keyLimit) {
    return read(linearizable, version -> lease(version, id, after, keyLimit));
  }

  /** Reads the living shared leases after this one, or all, in the order of their ids. */
  public CompletionStage<Read<List<LeaseDetails>>> leases(
      @Nullable LeaseId after, int limit, boolean linearizable) {
    String from = after == null ? "" : EntityIds.ofLease(after).value();
    return list(
        linearizable,
        version ->
            version.list(EntityIds.LEASE, from, limit).stream()
                .map(record -> lease(record))
                .toList());
  }

  private <T> CompletionStage<Read<T>> read(
      boolean linearizable, Function<JournalVersion, T> query) {
    return ready(linearizable).thenApply(isSafe -> now(isSafe, query));
  }

  private <T> CompletionStage<Read<T>> list(
      boolean linearizable, Function<JournalVersion, T> query) {
    return ready(linearizable).thenApplyAsync(isSafe -> now(isSafe, query), lists);
  }

  private CompletionStage<Boolean> ready(boolean linearizable) {
    return linearizable ? barrier.caughtUp() : CompletableFuture.completedFuture(true);
  }

  private <T> Read<T> now(boolean isSafe, Function<JournalVersion, T> query) {
    if (!isSafe) {
      throw new NoMajority();
    }
    JournalVersion version = store.version();
    return new Read<>(version.revision(), query.apply(version));
  }

  private LockDetails lock(JournalVersion version, LockKey key, int waiterLimit) {
    ShardId shard = shards.shard(key);
    Optional<PublicRecord> record = version.record(shard, EntityIds.of(key));
    List<Waiter> queue = waiterLimit < 0 ? List.of() : queue(version, shard, key);
    List<Waiter> shown = queue.subList(0, Math.min(Math.max(waiterLimit, 0), queue.size()));
    return record
        .map(
            held ->
                new LockDetails(
                    key,
                    LockRecordReader.holders(held),
                    held.created(),
                    held.revision(),
                    held.version(),
                    shown,
                    queue.size()))
        .orElseGet(
            () ->
                new LockDetails(
                    key, List.of(), Revision.NONE, Revision.NONE, 0, shown, queue.size()));
  }

  private LockDetails lock(JournalVersion version, PublicRecord record, int waiterLimit) {
    LockKey key = EntityIds.lock(record.id()).orElseThrow();
    return lock(version, key, waiterLimit);
  }

  /** Returns the waiters that live. */
  private static List<Waiter> queue(JournalVersion version, ShardId shard, LockKey key) {
    WaiterQueue queue = LockHistoryReader.read(version, shard, EntityIds.of(key)).waiters();
    for (Waiter ended : EndedLeases.ended(version, queue)) {
      queue = queue.without(ended.request().id());
    }
    return queue;
  }

  private Optional<LeaseDetails> lease(
      JournalVersion version, LeaseId id, String after, int keyLimit) {
    Optional<LeaseLife> alive = version.lease(id);
    if (alive.isEmpty()) {
      return Optional.empty();
    }
    LeaseLife lease = alive.get();
    List<LockKey> keys =
        version.attachedTo(lease).stream()
            .filter(attached -> holds(version, attached, lease))
            .flatMap(attached -> EntityIds.lock(attached.persistenceId()).stream())
            .sorted(Comparator.comparing(LockKey::value, BY_BYTES))
            .toList();
    List<LockKey> page =
        keys.stream()
            .filter(key -> after.isEmpty() || BY_BYTES.compare(key.value(), after) > 0)
            .limit(keyLimit)
            .toList();
    return version
        .record(shards.shard(id), EntityIds.ofLease(id))
        .map(
            record ->
                new LeaseDetails(
                    id,
                    lease.incarnation(),
                    LeaseProto.terms(record.parts().get(0).content()),
                    page,
                    keys.size()));
  }

  private static boolean holds(JournalVersion version, AttachedId attached, LeaseLife lease) {
    return version
        .record(attached.shard(), attached.persistenceId())
        .filter(record -> record.parts().stream().map(Part::lease).anyMatch(lease::equals))
        .isPresent();
  }

  /** Returns a lease by its record, without its keys. */
  static LeaseDetails lease(PublicRecord record) {
    return new LeaseDetails(
        EntityIds.lease(record.id()).orElseThrow(),
        record.created(),
        LeaseProto.terms(record.parts().get(0).content()),
        List.of(),
        0);
  }
}
