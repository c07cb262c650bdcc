package io.holdfast.journal;

import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import akka.persistence.SnapshotSelectionCriteria;
import akka.persistence.snapshot.japi.SnapshotStore;
import akka.serialization.SerializationExtension;
import io.holdfast.journal.state.SavedSnapshot;
import io.holdfast.journal.state.SnapshotRange;
import io.holdfast.journal.state.Verdict;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;

/**
 * Akka Persistence's snapshots, in the {@link JournalStore} of the node.
 *
 * <p>To an actor that recovers it offers the state that the journal keeps of it in place of a
 * history, or a later one that the actor has saved. It takes only {@link FencedSnapshot}s.
 */
public class HoldfastSnapshots extends SnapshotStore {

  public static final String PLUGIN_ID = "holdfast.snapshots";

  private final JournalAccess access = JournalAccess.get(context().system());
  private final EventCodec codec = new EventCodec(SerializationExtension.get(context().system()));
  private final KnownEpochs epochs = new KnownEpochs();

  @Override
  public Future<Optional<SelectedSnapshot>> doLoadAsync(
      String persistenceId, SnapshotSelectionCriteria criteria) {
    int shard = access.shardOf(persistenceId);
    return FutureConverters.asScala(
        access
            .store()
            .settled(shard)
            .thenApply(
                version ->
                    version
                        .snapshot(shard, persistenceId, range(criteria))
                        .map(found -> selected(persistenceId, found))));
  }

  private SelectedSnapshot selected(String persistenceId, SavedSnapshot found) {
    return new SelectedSnapshot(
        new SnapshotMetadata(persistenceId, found.sequenceNr(), found.timestamp()),
        codec.decodeState(persistenceId, found));
  }

  @Override
  public Future<Void> doSaveAsync(SnapshotMetadata metadata, Object snapshot) {
    if (!(snapshot instanceof FencedSnapshot fenced)) {
      return failed(
          new IllegalArgumentException(
              "a snapshot of [%s] names no epoch: %s"
                  .formatted(metadata.persistenceId(), snapshot.getClass().getName())));
    }
    epochs.wrote(metadata.persistenceId(), fenced.epoch());
    return accepted(
        metadata.persistenceId(),
        access
            .store()
            .saveSnapshot(
                fenced.shard(),
                fenced.epoch(),
                metadata.persistenceId(),
                new SavedSnapshot(
                    metadata.sequenceNr(),
                    metadata.timestamp(),
                    codec.encodeState(fenced.state()))));
  }

  @Override
  public Future<Void> doDeleteAsync(SnapshotMetadata metadata) {
    return delete(metadata.persistenceId(), SnapshotRange.at(metadata.sequenceNr()));
  }

  @Override
  public Future<Void> doDeleteAsync(String persistenceId, SnapshotSelectionCriteria criteria) {
    return delete(persistenceId, range(criteria));
  }

  private Future<Void> delete(String persistenceId, SnapshotRange range) {
    OptionalLong epoch = epochs.of(persistenceId);
    if (epoch.isEmpty()) {
      return failed(KnownEpochs.unknown(persistenceId));
    }
    int shard = access.shardOf(persistenceId);
    return accepted(
        persistenceId,
        access.store().deleteSnapshots(shard, epoch.getAsLong(), persistenceId, range));
  }

  private static Future<Void> accepted(String persistenceId, CompletionStage<Verdict> judged) {
    return FutureConverters.asScala(
        judged.thenAccept(verdict -> AppendRefused.unlessApplied(persistenceId, verdict)));
  }

  private static SnapshotRange range(SnapshotSelectionCriteria criteria) {
    return new SnapshotRange(
        criteria.minSequenceNr(),
        criteria.maxSequenceNr(),
        criteria.minTimestamp(),
        criteria.maxTimestamp());
  }

  private static Future<Void> failed(RuntimeException reason) {
    return FutureConverters.asScala(CompletableFuture.failedFuture(reason));
  }
}
