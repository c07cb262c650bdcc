package io.holdfast.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.javadsl.Adapter;
import akka.persistence.DeleteMessagesFailure;
import akka.persistence.DeleteSnapshotFailure;
import akka.persistence.DeleteSnapshotsFailure;
import akka.persistence.JournalProtocol;
import akka.persistence.Persistence;
import akka.persistence.SaveSnapshotFailure;
import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import akka.persistence.SnapshotProtocol;
import akka.persistence.SnapshotSelectionCriteria;
import akka.serialization.SerializationExtension;
import akka.testkit.javadsl.TestKit;
import com.typesafe.config.ConfigFactory;
import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.Draft;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.OptionConverters;

/**
 * Actors can neither delete events nor save snapshots; they are offered the state that the journal
 * keeps.
 */
class UnsupportedRequestsTest {

  private static final ShardId SHARD = ShardId.of(3);
  private static final SnapshotMetadata SNAPSHOT = new SnapshotMetadata("text", 2, 0);

  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.parseString("akka.actor.provider = local")
              .withFallback(ConfigFactory.load()));
  private static final ActorSystem SYSTEM = Adapter.toClassic(KIT.system());
  private static final JournalStore STORE =
      new InMemoryJournalStore(Bounds.DEFAULT, shard -> new Epoch(FencingAdapter.EPOCH));

  static {
    JournalAccess.get(SYSTEM).open(STORE, id -> SHARD);
    EventCodec codec = new EventCodec(SerializationExtension.get(SYSTEM));
    append(1, codec.encodeState("first"));
    append(2, codec.encodeState("second"));
  }

  private final TestKit probe = new TestKit(SYSTEM);

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @Test
  void events_cannot_be_deleted() {
    ActorRef journal =
        Persistence.get(SYSTEM).journalFor("holdfast.journal", ConfigFactory.empty());
    journal.tell(new JournalProtocol.DeleteMessagesTo("text", 1, probe.getRef()), probe.getRef());
    assertRefused(
        "events of [text] cannot be deleted: a state replaces them, or a tombstone",
        probe.expectMsgClass(DeleteMessagesFailure.class).cause());
  }

  @Test
  void snapshots_cannot_be_saved() {
    ask(new SnapshotProtocol.SaveSnapshot(SNAPSHOT, "third"));
    assertRefused(
        "snapshots of [text] cannot be saved: its state is written with its events",
        probe.expectMsgClass(SaveSnapshotFailure.class).cause());
  }

  @Test
  void snapshots_cannot_be_deleted() {
    String reason = "snapshots of [text] cannot be deleted: its state is written with its events";
    ask(new SnapshotProtocol.DeleteSnapshot(SNAPSHOT));
    assertRefused(reason, probe.expectMsgClass(DeleteSnapshotFailure.class).cause());
    ask(new SnapshotProtocol.DeleteSnapshots("text", SnapshotSelectionCriteria.latest()));
    assertRefused(reason, probe.expectMsgClass(DeleteSnapshotsFailure.class).cause());
  }

  @Test
  void the_latest_state_is_offered() {
    assertEquals(Optional.of("second"), loaded("text", SnapshotSelectionCriteria.latest()));
    assertEquals(Optional.empty(), loaded("other", SnapshotSelectionCriteria.latest()));
  }

  @Test
  void a_state_outside_the_wanted_range_is_not_offered() {
    assertEquals(Optional.of("second"), loaded("text", upTo(2)));
    assertEquals(Optional.empty(), loaded("text", upTo(1)));
    assertEquals(
        Optional.empty(),
        loaded("text", SnapshotSelectionCriteria.create(9, Long.MAX_VALUE, 3, 0)));
  }

  private static SnapshotSelectionCriteria upTo(long sequenceNr) {
    return SnapshotSelectionCriteria.create(sequenceNr, Long.MAX_VALUE);
  }

  private Optional<Object> loaded(String id, SnapshotSelectionCriteria criteria) {
    ask(new SnapshotProtocol.LoadSnapshot(id, criteria, Long.MAX_VALUE));
    return OptionConverters.toJava(
            probe.expectMsgClass(SnapshotProtocol.LoadSnapshotResult.class).snapshot())
        .map(SelectedSnapshot::snapshot);
  }

  private void ask(Object request) {
    Persistence.get(SYSTEM)
        .snapshotStoreFor(HoldfastSnapshots.PLUGIN_ID, ConfigFactory.empty())
        .tell(request, probe.getRef());
  }

  private static void append(long sequenceNr, Bytes state) {
    var unused =
        STORE.append(
            SHARD,
            new Epoch(FencingAdapter.EPOCH),
            appendId ->
                new Append(
                    appendId,
                    new PersistenceId("text"),
                    sequenceNr,
                    Bytes.EMPTY,
                    state,
                    Draft.NONE));
  }

  private static void assertRefused(String reason, Throwable cause) {
    assertInstanceOf(UnsupportedOperationException.class, cause);
    assertEquals(reason, cause.getMessage());
  }
}
