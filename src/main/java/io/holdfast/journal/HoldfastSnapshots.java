package io.holdfast.journal;

import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import akka.persistence.SnapshotSelectionCriteria;
import akka.persistence.snapshot.japi.SnapshotStore;
import akka.serialization.SerializationExtension;
import io.holdfast.bytes.Bytes;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Replay;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;

/**
 * Akka Persistence's plugin for snapshots: offers to an actor that recovers the state that the
 * {@link JournalStore} of the node keeps of it in place of a history.
 *
 * <p>It saves and deletes nothing: a state comes with an event.
 */
public final class HoldfastSnapshots extends SnapshotStore {

  public static final String PLUGIN_ID = "holdfast.snapshots";

  private final JournalAccess access = JournalAccess.get(context().system());
  private final EventCodec codec = new EventCodec(SerializationExtension.get(context().system()));

  @Override
  public Future<Optional<SelectedSnapshot>> doLoadAsync(
      String persistenceId, SnapshotSelectionCriteria criteria) {
    PersistenceId id = new PersistenceId(persistenceId);
    ShardId shard = access.shardOf(id);
    return FutureConverters.asScala(
        access
            .store()
            .settled(shard)
            .thenApply(version -> selected(id, version.replay(shard, id, 1), criteria)));
  }

  private Optional<SelectedSnapshot> selected(
      PersistenceId id, Replay replay, SnapshotSelectionCriteria criteria) {
    Bytes state = replay.state();
    long sequenceNr = replay.stateSequenceNr();
    if (state == null
        || sequenceNr < criteria.minSequenceNr()
        || sequenceNr > criteria.maxSequenceNr()) {
      return Optional.empty();
    }
    return Optional.of(
        new SelectedSnapshot(
            new SnapshotMetadata(id.value(), sequenceNr, /* timestamp= */ 0),
            codec.decodeState(id, sequenceNr, state)));
  }

  @Override
  public Future<Void> doSaveAsync(SnapshotMetadata metadata, Object snapshot) {
    return unsupported("snapshots of [%s] cannot be saved", metadata.persistenceId());
  }

  @Override
  public Future<Void> doDeleteAsync(SnapshotMetadata metadata) {
    return unsupported("snapshots of [%s] cannot be deleted", metadata.persistenceId());
  }

  @Override
  public Future<Void> doDeleteAsync(String persistenceId, SnapshotSelectionCriteria criteria) {
    return unsupported("snapshots of [%s] cannot be deleted", persistenceId);
  }

  private static Future<Void> unsupported(String what, String persistenceId) {
    return FutureConverters.asScala(
        CompletableFuture.failedFuture(
            new UnsupportedOperationException(
                what.formatted(persistenceId) + ": its state is written with its events")));
  }
}
