package io.holdfast.entity;

import io.holdfast.coordination.Barrier;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.LeaseProto;
import io.holdfast.journal.LockHistory;
import io.holdfast.journal.LockRecord;
import io.holdfast.journal.state.AttachedId;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.LeaseRef;
import io.holdfast.journal.state.Part;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.lock.LeaseLife;
import io.holdfast.lock.Line;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Waiter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Reads of locks and leases from what this node has applied, never from an actor's memory.
 *
 * <p>A linearizable read sees every change that was answered before it was asked for. It fails with
 * {@link NoMajority} if the node cannot know that it does.
 */
public final class LockReads {

  /** The node cannot know whether it has heard of everything. */
  public static final class NoMajority extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoMajority() {
      super("this node cannot reach a majority, and cannot know what is true now");
    }
  }

  /** What was read, and the revision of the state that it was read from. */
  public record Read<T>(long revision, T what) {}

  private static final Comparator<String> BY_BYTES =
      Comparator.comparing(text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  private final JournalStore store;
  private final Barrier barrier;
  private final ShardMap shards;
  private final Executor lists;

  /**
   * Reads of what a store has applied.
   *
   * @param lists runs those that may take long
   */
  public LockReads(JournalStore store, Barrier barrier, ShardMap shards, Executor lists) {
    this.store = store;
    this.barrier = barrier;
    this.shards = shards;
    this.lists = lists;
  }

  /** The incarnation of a lease that is alive by what this node has applied. */
  public OptionalLong incarnation(long lease) {
    return store.version().lease(lease);
  }

  /** Whether a lease has ended for sure, by what this node has applied. */
  public boolean hasEnded(LeaseLife lease) {
    return Leases.hasEnded(store.version(), lease);
  }

  /** One lock, with so many of its waiters. */
  public CompletionStage<Read<LockView>> lock(LockKey key, boolean linearizable, int waiterLimit) {
    return read(linearizable, version -> lock(version, key, waiterLimit));
  }

  /** The held locks with this prefix after this key, in the order of their bytes. */
  public CompletionStage<Read<List<LockView>>> locks(
      String prefix, String after, int limit, boolean linearizable, int waiterLimit) {
    String from = after.isEmpty() ? "" : Ids.of(new LockKey(after));
    return list(
        linearizable,
        version ->
            version.list(Ids.LOCK + prefix, from, limit).stream()
                .map(record -> lock(version, record, waiterLimit))
                .toList());
  }

  /** A shared lease that is alive, and none of its keys. */
  public CompletionStage<Read<Optional<LeaseView>>> lease(long id, boolean linearizable) {
    return read(
        linearizable,
        version ->
            version.lease(id).isEmpty()
                ? Optional.empty()
                : version.record(shards.shard(id), Ids.ofLease(id)).map(record -> lease(record)));
  }

  /** A shared lease that is alive, with so many of its keys after this one. */
  public CompletionStage<Read<Optional<LeaseView>>> lease(
      long id, boolean linearizable, String after, int keyLimit) {
    return read(linearizable, version -> lease(version, id, after, keyLimit));
  }

  /** The shared leases that are alive, after this one, in the order of their ids. */
  public CompletionStage<Read<List<LeaseView>>> leases(
      long after, int limit, boolean linearizable) {
    String from = after == 0 ? "" : Ids.ofLease(after);
    return list(
        linearizable,
        version ->
            version.list(Ids.LEASE, from, limit).stream().map(record -> lease(record)).toList());
  }

  private <T> CompletionStage<Read<T>> read(
      boolean linearizable, Function<JournalVersion, T> what) {
    return ready(linearizable).thenApply(isSafe -> now(isSafe, what));
  }

  private <T> CompletionStage<Read<T>> list(
      boolean linearizable, Function<JournalVersion, T> what) {
    return ready(linearizable).thenApplyAsync(isSafe -> now(isSafe, what), lists);
  }

  private CompletionStage<Boolean> ready(boolean linearizable) {
    return linearizable ? barrier.caughtUp() : CompletableFuture.completedFuture(true);
  }

  private <T> Read<T> now(boolean isSafe, Function<JournalVersion, T> what) {
    if (!isSafe) {
      throw new NoMajority();
    }
    JournalVersion version = store.version();
    return new Read<>(version.revision(), what.apply(version));
  }

  private LockView lock(JournalVersion version, LockKey key, int waiterLimit) {
    int shard = shards.shard(key);
    Optional<PublicRecord> record = version.record(shard, Ids.of(key));
    List<Waiter> line = waiterLimit < 0 ? List.of() : line(version, shard, key);
    List<Waiter> shown = line.subList(0, Math.min(Math.max(waiterLimit, 0), line.size()));
    return record
        .map(
            held ->
                new LockView(
                    key,
                    LockRecord.holders(held),
                    held.created(),
                    held.revision(),
                    held.version(),
                    shown,
                    line.size()))
        .orElseGet(() -> new LockView(key, List.of(), 0, 0, 0, shown, line.size()));
  }

  private LockView lock(JournalVersion version, PublicRecord record, int waiterLimit) {
    LockKey key = Ids.lock(record.key()).orElseThrow();
    return lock(version, key, waiterLimit);
  }

  /** Those who wait and live. */
  private static List<Waiter> line(JournalVersion version, int shard, LockKey key) {
    Line line = LockHistory.read(version, shard, Ids.of(key)).waiters();
    for (Waiter ended : Leases.ended(version, line)) {
      line = line.without(ended.request().id());
    }
    return line;
  }

  private Optional<LeaseView> lease(JournalVersion version, long id, String after, int keyLimit) {
    OptionalLong incarnation = version.lease(id);
    if (incarnation.isEmpty()) {
      return Optional.empty();
    }
    LeaseRef lease = new LeaseRef(id, incarnation.getAsLong());
    List<LockKey> keys =
        version.attachedTo(id, incarnation.getAsLong()).stream()
            .filter(attached -> holds(version, attached, lease))
            .flatMap(attached -> Ids.lock(attached.persistenceId()).stream())
            .sorted(Comparator.comparing(LockKey::value, BY_BYTES))
            .toList();
    List<LockKey> page =
        keys.stream()
            .filter(key -> after.isEmpty() || BY_BYTES.compare(key.value(), after) > 0)
            .limit(keyLimit)
            .toList();
    return version
        .record(shards.shard(id), Ids.ofLease(id))
        .map(
            record ->
                new LeaseView(
                    id,
                    incarnation.getAsLong(),
                    LeaseProto.terms(record.parts().get(0).content()),
                    page,
                    keys.size()));
  }

  private static boolean holds(JournalVersion version, AttachedId attached, LeaseRef lease) {
    return version
        .record(attached.shard(), attached.persistenceId())
        .filter(record -> record.parts().stream().map(Part::lease).anyMatch(lease::equals))
        .isPresent();
  }

  /** A lease as its record shows it, without its keys. */
  static LeaseView lease(PublicRecord record) {
    return new LeaseView(
        Ids.lease(record.key()).orElseThrow(),
        record.created(),
        LeaseProto.terms(record.parts().get(0).content()),
        List.of(),
        0);
  }
}
