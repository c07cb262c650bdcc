package holdfast.entity;

import holdfast.journal.InMemoryJournalStore;
import holdfast.journal.JournalStore;
import holdfast.journal.state.Append;
import holdfast.journal.state.Bounds;
import holdfast.journal.state.Bytes;
import holdfast.journal.state.JournalCommand;
import holdfast.journal.state.JournalVersion;
import holdfast.journal.state.LeaseChange;
import holdfast.journal.state.PublicChange;
import holdfast.journal.state.Turn;
import holdfast.journal.state.Verdict;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A store in memory that answers writes only when it may, and whose one shard is taken over. */
final class GatedStore implements JournalStore {

  static final int SHARD = 7;

  private final AtomicLong epoch = new AtomicLong(1);
  private final JournalStore store = new InMemoryJournalStore(Bounds.DEFAULT, shard -> epoch.get());
  private volatile CompletableFuture<Boolean> gate = CompletableFuture.completedFuture(true);
  private final AtomicInteger appends = new AtomicInteger();
  private volatile boolean failing;

  /** How many writes came so far. */
  int appends() {
    return appends.get();
  }

  /** Ends a lease past the gate, as another node would. */
  void endLease(long id, long incarnation) {
    String persistenceId = Ids.ofLease(id);
    long next = version().highestSequenceNr(SHARD, persistenceId).orElse(0) + 1;
    var unused =
        store.append(
            SHARD,
            epoch.get(),
            turn ->
                new Append(
                    turn,
                    persistenceId,
                    next,
                    List.of(Bytes.of("ended")),
                    null,
                    List.of(new PublicChange.Absent(Bytes.EMPTY)),
                    new LeaseChange.Ends(id, incarnation),
                    List.of(),
                    List.of(),
                    List.of(),
                    /* tombstone= */ true,
                    0));
  }

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
  public CompletionStage<Verdict> write(
      int shard, long epoch, Function<Turn, ? extends JournalCommand> command) {
    appends.incrementAndGet();
    return gate.thenCompose(open -> store.write(shard, epoch, command));
  }

  @Override
  public JournalVersion version() {
    return store.version();
  }

  @Override
  public CompletionStage<JournalVersion> confirmed() {
    return store.confirmed();
  }

  @Override
  public CompletionStage<JournalVersion> settled(int shard) {
    return failing
        ? CompletableFuture.failedFuture(new IllegalStateException("cannot be read"))
        : store.settled(shard);
  }
}
