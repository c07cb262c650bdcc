package holdfast.entity;

import holdfast.journal.InMemoryJournalStore;
import holdfast.journal.JournalStore;
import holdfast.journal.state.Append;
import holdfast.journal.state.Bounds;
import holdfast.journal.state.JournalVersion;
import holdfast.journal.state.SavedSnapshot;
import holdfast.journal.state.SnapshotRange;
import holdfast.journal.state.Turn;
import holdfast.journal.state.Verdict;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A store in memory that answers writes only when it may, and whose one shard is taken over. */
final class GatedStore implements JournalStore {

  static final int SHARD = 7;

  private final AtomicLong epoch = new AtomicLong(1);
  private final JournalStore store =
      new InMemoryJournalStore(Bounds.DEFAULT, shard -> epoch.get(), (id, incarnation) -> true);
  private volatile CompletableFuture<Boolean> gate = CompletableFuture.completedFuture(true);
  private volatile boolean failing;

  void hold() {
    gate = new CompletableFuture<>();
  }

  void letGo() {
    gate.complete(true);
  }

  void takeOver() {
    epoch.incrementAndGet();
  }

  long epoch() {
    return epoch.get();
  }

  void failReads(boolean fail) {
    failing = fail;
  }

  @Override
  public CompletionStage<Verdict> append(int shard, long epoch, Function<Turn, Append> append) {
    return gate.thenCompose(open -> store.append(shard, epoch, append));
  }

  @Override
  public CompletionStage<Verdict> deleteTo(
      int shard, long epoch, String persistenceId, long toSequenceNr) {
    return store.deleteTo(shard, epoch, persistenceId, toSequenceNr);
  }

  @Override
  public CompletionStage<Verdict> saveSnapshot(
      int shard, long epoch, String persistenceId, SavedSnapshot snapshot) {
    return store.saveSnapshot(shard, epoch, persistenceId, snapshot);
  }

  @Override
  public CompletionStage<Verdict> deleteSnapshots(
      int shard, long epoch, String persistenceId, SnapshotRange range) {
    return store.deleteSnapshots(shard, epoch, persistenceId, range);
  }

  @Override
  public JournalVersion version() {
    return store.version();
  }

  @Override
  public CompletionStage<JournalVersion> settled(int shard) {
    return failing
        ? CompletableFuture.failedFuture(new IllegalStateException("cannot be read"))
        : store.settled(shard);
  }
}
