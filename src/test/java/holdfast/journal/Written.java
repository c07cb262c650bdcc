package holdfast.journal;

import akka.persistence.AtomicWrite;
import akka.persistence.PersistentRepr;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import holdfast.internal.journal.StoredEvent;
import holdfast.internal.journal.StoredState;
import holdfast.journal.state.Append;
import holdfast.journal.state.Bytes;
import holdfast.journal.state.Turn;
import holdfast.journal.state.Verdict;
import java.io.NotSerializableException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the plugin makes of events that are persisted together, without an actor system. */
public final class Written {

  private static final LockEventSerializer SERIALIZER = new LockEventSerializer();

  private Written() {}

  /** The append of these events of one id, the first of which has this number. */
  public static Append append(
      Turn turn, String persistenceId, long firstSequenceNr, List<FencedEvent> all) {
    AtomicWrite write =
        AtomicWrite.apply(
            PersistentRepr.apply(
                "", firstSequenceNr, persistenceId, "", /* deleted= */ false, null, ""));
    List<Bytes> events = all.stream().map(event -> encode(event.event())).toList();
    Object state = all.get(all.size() - 1).state();
    return Together.append(turn, write, all, events, state == null ? null : encodeState(state));
  }

  /** Tells each event its own revision. */
  public static void applied(List<FencedEvent> all, Verdict.Applied verdict) {
    Together.written(all, verdict);
  }

  /** An event of a lock or a lease, as the journal keeps it. */
  public static Object event(Bytes stored) {
    try {
      StoredEvent event = StoredEvent.parseFrom(stored.array());
      return SERIALIZER.fromBinary(event.getEvent().toByteArray(), event.getManifest());
    } catch (InvalidProtocolBufferException | NotSerializableException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The lock that stands for its history; null if there is none. */
  public static @Nullable LockRecord state(@Nullable Bytes stored) {
    if (stored == null) {
      return null;
    }
    try {
      StoredState state = StoredState.parseFrom(stored.array());
      return (LockRecord)
          SERIALIZER.fromBinary(state.getState().toByteArray(), state.getManifest());
    } catch (InvalidProtocolBufferException | NotSerializableException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Bytes encode(Object event) {
    return Bytes.of(
        StoredEvent.newBuilder()
            .setSerializer(SERIALIZER.identifier())
            .setManifest(SERIALIZER.manifest(event))
            .setEvent(ByteString.copyFrom(SERIALIZER.toBinary(event)))
            .build()
            .toByteArray());
  }

  private static Bytes encodeState(Object state) {
    return Bytes.of(
        StoredState.newBuilder()
            .setSerializer(SERIALIZER.identifier())
            .setManifest(SERIALIZER.manifest(state))
            .setState(ByteString.copyFrom(SERIALIZER.toBinary(state)))
            .build()
            .toByteArray());
  }
}
