package holdfast.journal;

import akka.persistence.AtomicWrite;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.japi.AsyncWriteJournal;
import akka.serialization.SerializationExtension;
import holdfast.journal.state.Append;
import holdfast.journal.state.Bytes;
import holdfast.journal.state.JournalVersion;
import holdfast.journal.state.Replay;
import holdfast.journal.state.Turn;
import holdfast.journal.state.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.FutureConverters;

/**
 * Akka Persistence over the {@link JournalStore} of the node.
 *
 * <p>It takes only {@link FencedEvent}s, and never looks up an epoch for a write. An actor reads
 * after all that this node has written about its shard has its verdict: so a new incarnation finds
 * what the one before has left on its way.
 */
public final class HoldfastJournal extends AsyncWriteJournal {

  /** Of so many ids the epoch of their last write is known, for deletions. */
  private static final int MAX_KNOWN_EPOCHS = 10_000;

  private final JournalAccess access = JournalAccess.get(context().system());
  private final EventCodec codec = new EventCodec(SerializationExtension.get(context().system()));
  private final Map<String, Long> epochs =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MAX_KNOWN_EPOCHS;
        }
      };

  @Override
  public Future<Iterable<Optional<Exception>>> doAsyncWriteMessages(Iterable<AtomicWrite> writes) {
    CompletionStage<List<Optional<Exception>>> answers =
        CompletableFuture.completedFuture(new ArrayList<>());
    for (AtomicWrite write : writes) {
      answers =
          answers.thenCombine(
              write(write),
              (before, answer) -> {
                before.add(answer);
                return before;
              });
    }
    return FutureConverters.asScala(answers.thenApply(List::copyOf));
  }

  /** An event that cannot be serialized is rejected; whatever the journal refuses is a failure. */
  private CompletionStage<Optional<Exception>> write(AtomicWrite write) {
    List<PersistentRepr> envelopes = new ArrayList<>(CollectionConverters.asJava(write.payload()));
    FencedEvent last = fenced(envelopes.get(envelopes.size() - 1));
    List<Bytes> events = new ArrayList<>(envelopes.size());
    try {
      for (PersistentRepr envelope : envelopes) {
        events.add(codec.encode(envelope, fenced(envelope).event()));
      }
    } catch (Exception e) { // Akka's serialization throws what it does not declare
      return CompletableFuture.completedFuture(Optional.of(e));
    }
    epochs.put(write.persistenceId(), last.epoch());
    return access
        .store()
        .append(last.shard(), last.epoch(), turn -> append(turn, write, last, events))
        .thenApply(verdict -> accepted(write.persistenceId(), verdict));
  }

  /* What an append leaves behind is what its last event says. */
  private static Append append(Turn turn, AtomicWrite write, FencedEvent last, List<Bytes> events) {
    return new Append(
        turn,
        write.persistenceId(),
        write.lowestSequenceNr(),
        events,
        null,
        last.publicChange(),
        last.leases(),
        last.answers(),
        last.whileAlive(),
        last.tombstone());
  }

  @Override
  public Future<Void> doAsyncDeleteMessagesTo(String persistenceId, long toSequenceNr) {
    Long epoch = epochs.get(persistenceId);
    if (epoch == null) {
      return failed(
          new UnsupportedOperationException(
              "only who has written to [" + persistenceId + "] may delete from it"));
    }
    return FutureConverters.asScala(
        settled(persistenceId)
            .thenCompose(
                version -> {
                  int shard = access.shardOf(persistenceId);
                  long highest = version.highestSequenceNr(shard, persistenceId).orElse(0);
                  return access
                      .store()
                      .deleteTo(shard, epoch, persistenceId, Math.min(toSequenceNr, highest));
                })
            .thenAccept(verdict -> accepted(persistenceId, verdict)));
  }

  @Override
  public Future<Void> doAsyncReplayMessages(
      String persistenceId,
      long fromSequenceNr,
      long toSequenceNr,
      long max,
      Consumer<PersistentRepr> replayCallback) {
    return FutureConverters.asScala(
        settled(persistenceId)
            .thenAccept(
                version -> {
                  Replay replay =
                      version.replay(access.shardOf(persistenceId), persistenceId, fromSequenceNr);
                  long left = max;
                  long sequenceNr = replay.firstSequenceNr();
                  for (Bytes event : replay.events()) {
                    boolean wanted = sequenceNr >= fromSequenceNr && sequenceNr <= toSequenceNr;
                    if (wanted && left-- > 0) {
                      replayCallback.accept(codec.decode(persistenceId, sequenceNr, event));
                    }
                    sequenceNr++;
                  }
                }));
  }

  @Override
  public Future<Long> doAsyncReadHighestSequenceNr(String persistenceId, long fromSequenceNr) {
    return FutureConverters.asScala(
        settled(persistenceId)
            .thenApply(
                version ->
                    version
                        .highestSequenceNr(access.shardOf(persistenceId), persistenceId)
                        .orElse(0)));
  }

  private CompletionStage<JournalVersion> settled(String persistenceId) {
    return access.store().settled(access.shardOf(persistenceId));
  }

  private static Optional<Exception> accepted(String persistenceId, Verdict verdict) {
    if (verdict instanceof Verdict.Applied) {
      return Optional.empty();
    }
    throw new AppendRefused(persistenceId, verdict);
  }

  private static FencedEvent fenced(PersistentRepr envelope) {
    if (envelope.payload() instanceof FencedEvent fenced) {
      return fenced;
    }
    throw new IllegalArgumentException(
        "an event of [%s] names no epoch: %s"
            .formatted(envelope.persistenceId(), envelope.payload().getClass().getName()));
  }

  private static Future<Void> failed(RuntimeException reason) {
    return FutureConverters.asScala(CompletableFuture.failedFuture(reason));
  }
}
