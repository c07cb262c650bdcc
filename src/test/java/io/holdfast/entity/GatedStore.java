package io.holdfast.entity;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.InMemoryJournalStore;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.state.AnsweredRequest;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.LeaseChange;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.journal.state.RequestKey;
import io.holdfast.journal.state.Verdict;
import io.holdfast.wire.EntityIds;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A store in memory whose writes wait at a gate, and whose one shard can be taken over. */
public final class GatedStore implements JournalStore {

  public static final ShardId SHARD = ShardId.of(7);

  private final AtomicLong epoch = new AtomicLong(1);
  private final JournalStore store =
      new InMemoryJournalStore(Bounds.DEFAULT, shard -> new Epoch(epoch.get()));
  private volatile CompletableFuture<Boolean> gate = CompletableFuture.completedFuture(true);
  private volatile CompletableFuture<Boolean> rounds = CompletableFuture.completedFuture(true);
  private final AtomicInteger appends = new AtomicInteger();
  private final AtomicInteger confirmations = new AtomicInteger();
  private volatile boolean failing;
  private int looksLeft = -1; // guarded by this, as the following fields
  private Runnable atLook = () -> {};

  /** Returns the number of writes so far. */
  int appends() {
    return appends.get();
  }

  /** Returns the number of confirmations that were requested. */
  public int confirmations() {
    return confirmations.get();
  }

  /** Runs an action of the log's thread before the look with this number, within one decision. */
  synchronized void beforeLook(int number, Runnable applies) {
    looksLeft = number;
    atLook = applies;
  }

  private synchronized Runnable dueAtLook() {
    return looksLeft-- == 0 ? atLook : () -> {};
  }

  /** Records an outcome for another request of a session, as another lock would. */
  void answer(LeaseLife session, long number, long lowestOpen) {
    var unused =
        store.append(
            SHARD,
            epoch(),
            appendId ->
                new Append(
                    appendId,
                    new PersistenceId("lock|of " + session.id() + "#" + number),
                    1,
                    Bytes.of("answered"),
                    null,
                    new Draft(
                        List.of(),
                        null,
                        List.of(),
                        List.of(),
                        List.of(
                            new AnsweredRequest(
                                new RequestKey.Numbered(session, number, lowestOpen),
                                Bytes.of("outcome"))),
                        List.of(),
                        /* tombstone= */ false,
                        0,
                        Need.NOTHING,
                        /* waiters= */ 0)));
  }

  /** Ends a lease without the gate, as another node would. */
  public void endLease(long id, Revision incarnation) {
    String persistenceId = EntityIds.ofLease(new LeaseId(id)).value();
    long next =
        store.version().highestSequenceNr(SHARD, new PersistenceId(persistenceId)).orElse(0) + 1;
    var unused =
        store.append(
            SHARD,
            epoch(),
            appendId ->
                new Append(
                    appendId,
                    new PersistenceId(persistenceId),
                    next,
                    Bytes.of("ended"),
                    null,
                    new Draft(
                        List.of(new PublicChange.Absent(Bytes.EMPTY)),
                        new LeaseChange.Ends(LeaseLife.of(new LeaseId(id), incarnation)),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        /* tombstone= */ true,
                        0,
                        Need.NOTHING,
                        /* waiters= */ 0)));
  }

  void hold() {
    gate = new CompletableFuture<>();
  }

  boolean isHeld() {
    return !gate.isDone();
  }

  void letGo() {
    gate.complete(true);
  }

  /** Holds the answers of confirmations back. */
  void holdRounds() {
    rounds = new CompletableFuture<>();
  }

  void letRoundsGo() {
    rounds.complete(true);
  }

  void takeOver() {
    epoch.incrementAndGet();
  }

  public Epoch epoch() {
    return new Epoch(epoch.get());
  }

  void failReads(boolean fail) {
    failing = fail;
  }

  @Override
  public CompletionStage<Verdict> append(
      ShardId shard, Epoch epoch, Function<AppendId, Append> append) {
    appends.incrementAndGet();
    return gate.thenCompose(open -> store.append(shard, epoch, append));
  }

  @Override
  public JournalVersion version() {
    dueAtLook().run();
    return store.version();
  }

  @Override
  public CompletionStage<JournalVersion> confirmed() {
    confirmations.incrementAndGet();
    return rounds.thenCompose(open -> store.confirmed());
  }

  @Override
  public CompletionStage<JournalVersion> settled(ShardId shard) {
    return failing
        ? CompletableFuture.failedFuture(new IllegalStateException("cannot be read"))
        : store.settled(shard);
  }
}
