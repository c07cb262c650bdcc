package io.holdfast.journal;

import akka.persistence.AtomicWrite;
import akka.persistence.JournalProtocol;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.japi.AsyncWriteJournal;
import akka.serialization.SerializationExtension;
import io.holdfast.bytes.Bytes;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Replay;
import io.holdfast.journal.state.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import scala.PartialFunction;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.FutureConverters;
import scala.runtime.BoxedUnit;

/**
 * Akka Persistence's plugin for events: writes to the {@link JournalStore} of the node and reads
 * from it.
 *
 * <p>It accepts only {@link FencedEvent}s, each alone, and never looks up an epoch for a write. A
 * read waits until every append of this node to the shard has its verdict: so a new actor finds all
 * that the previous one had sent.
 */
public final class HoldfastJournal extends AsyncWriteJournal {

  /** The number of plugins. Each is one actor, which encodes events: several encode in parallel. */
  static final int STRIPES = 4;

  /** The plugin for the actors of a shard. */
  public static String pluginId(ShardId shard) {
    return pluginId(shard.value() % STRIPES);
  }

  static String pluginId(int stripe) {
    return "holdfast.journal-" + stripe;
  }

  private final JournalAccess access = JournalAccess.get(context().system());
  private final EventCodec codec = new EventCodec(SerializationExtension.get(context().system()));

  /*
   * Akka's own way from a verdict back to the actor that waits for it leads through two futures and
   * an actor that puts answers in order over all actors of a plugin. What one actor has written is
   * in order here anyway, so each is answered at once.
   */
  @Override
  public void aroundReceive(PartialFunction<Object, BoxedUnit> receive, Object message) {
    if (message instanceof JournalProtocol.WriteMessages write) {
      write(write);
    } else {
      super.aroundReceive(receive, message);
    }
  }

  private void write(JournalProtocol.WriteMessages asked) {
    WriteReplies answers = new WriteReplies(asked, self());
    try {
      List<AtomicWrite> writes =
          CollectionConverters.asJava(preparePersistentBatch(asked.messages()));
      for (int i = 0; i < writes.size(); i++) {
        write(writes.get(i), i, answers);
      }
    } catch (RuntimeException e) {
      answers.failed(e);
    }
  }

  @Override
  public Future<Iterable<Optional<Exception>>> doAsyncWriteMessages(Iterable<AtomicWrite> writes) {
    throw new IllegalStateException("writes are answered as they come");
  }

  /** Rejects an event that cannot be serialized. A refusal by the journal is a failure. */
  private void write(AtomicWrite write, int place, WriteReplies answers) {
    if (write.size() > 1) {
      answers.rejected(place, new UnsupportedOperationException("one event is one decision"));
      return;
    }
    PersistenceId id = new PersistenceId(write.persistenceId());
    PersistentRepr envelope = write.payload().head();
    FencedEvent<?> fenced = fenced(envelope);
    Object kept = fenced.state();
    Bytes event;
    Bytes state;
    try { // an event that comes with a state is counted, and never read
      event = kept == null ? codec.encode(envelope, fenced.event()) : Bytes.EMPTY;
      state = kept == null ? null : codec.encodeState(kept);
    } catch (Exception e) { // Akka's serialization throws undeclared exceptions
      answers.rejected(place, e);
      return;
    }
    var unused =
        access
            .store()
            .append(
                fenced.shard(),
                fenced.epoch(),
                appendId ->
                    new Append(appendId, id, envelope.sequenceNr(), event, state, fenced.draft()))
            .whenComplete(
                (verdict, failure) -> {
                  if (failure != null) {
                    answers.failed(failure);
                  } else if (verdict instanceof Verdict.Applied applied) {
                    fenced.applied(applied);
                    answers.written(place);
                  } else {
                    answers.failed(new AppendRefused(id, verdict));
                  }
                });
  }

  /** Always fails. A state replaces the events before it, and no actor needs more. */
  @Override
  public Future<Void> doAsyncDeleteMessagesTo(String persistenceId, long toSequenceNr) {
    return FutureConverters.asScala(
        CompletableFuture.failedFuture(
            new UnsupportedOperationException(
                "events of [%s] cannot be deleted: a state replaces them, or a tombstone"
                    .formatted(persistenceId))));
  }

  @Override
  public Future<Void> doAsyncReplayMessages(
      String persistenceId,
      long fromSequenceNr,
      long toSequenceNr,
      long max,
      Consumer<PersistentRepr> replayCallback) {
    PersistenceId id = new PersistenceId(persistenceId);
    return FutureConverters.asScala(
        settled(id)
            .thenAccept(
                version -> {
                  Replay replay = version.replay(access.shardOf(id), id, fromSequenceNr);
                  requireAll(id, replay);
                  long left = max;
                  long sequenceNr = replay.firstSequenceNr();
                  for (Bytes event : replay.events()) {
                    boolean wanted = sequenceNr >= fromSequenceNr && sequenceNr <= toSequenceNr;
                    if (wanted && left-- > 0) {
                      replayCallback.accept(codec.decode(id, sequenceNr, event));
                    }
                    sequenceNr++;
                  }
                }));
  }

  @Override
  public Future<Long> doAsyncReadHighestSequenceNr(String persistenceId, long fromSequenceNr) {
    PersistenceId id = new PersistenceId(persistenceId);
    return FutureConverters.asScala(
        settled(id)
            .thenApply(version -> version.highestSequenceNr(access.shardOf(id), id).orElse(0)));
  }

  private CompletionStage<JournalVersion> settled(PersistenceId id) {
    return access.store().settled(access.shardOf(id));
  }

  /**
   * Fails if a state has replaced some of the events. Without that state the other events lead to a
   * wrong one: the actor recovers without snapshots, or the state was written after it loaded its
   * snapshot.
   */
  private static void requireAll(PersistenceId id, Replay replay) {
    if (replay.state() != null) {
      throw new IllegalStateException(
          "the events of [%s] up to [%d] are replaced by a state that its recovery has not loaded"
              .formatted(id, replay.stateSequenceNr()));
    }
  }

  private static FencedEvent<?> fenced(PersistentRepr envelope) {
    if (envelope.payload() instanceof FencedEvent<?> fenced) {
      return fenced;
    }
    throw new IllegalArgumentException(
        "an event of [%s] names no epoch: %s"
            .formatted(envelope.persistenceId(), envelope.payload().getClass().getName()));
  }
}
