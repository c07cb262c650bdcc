package io.holdfast.journal;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.holdfast.bytes.Bytes;
import io.holdfast.id.PersistenceId;
import io.holdfast.internal.journal.StoredEvent;
import io.holdfast.internal.journal.StoredState;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.Verdict;
import io.holdfast.lock.rules.LockState;
import java.io.NotSerializableException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates the append that the plugin makes of a decision, without an actor system. */
public final class TestAppends {

  /** The most bytes of an append, as the store counts them. */
  public static final long MAX_BYTES = SendQueue.MAX_BYTES;

  private static final LockEventSerializer SERIALIZER = new LockEventSerializer();

  private TestAppends() {}

  /** The append of a decision of one id. Its event is encoded even if a state replaces it. */
  public static Append append(
      AppendId appendId, PersistenceId persistenceId, long sequenceNr, FencedEvent<?> event) {
    Object state = event.state();
    return new Append(
        appendId,
        persistenceId,
        sequenceNr,
        encode(event.event()),
        state == null ? null : encodeState(state),
        event.draft());
  }

  /** The append as the plugin writes it: without the event if a state replaces it. */
  public static Append written(
      AppendId appendId, PersistenceId persistenceId, long sequenceNr, FencedEvent<?> event) {
    Object state = event.state();
    return new Append(
        appendId,
        persistenceId,
        sequenceNr,
        state == null ? encode(event.event()) : Bytes.EMPTY,
        state == null ? null : encodeState(state),
        event.draft());
  }

  /** The number of events of a lock in one write. */
  public static int events(FencedEvent<?> write) {
    return ((PersistedLockEvents) write.event()).events().size();
  }

  /** The length of an append as the store counts it. */
  public static long countedBytes(Append append) {
    return SendQueue.bytes(append);
  }

  /** The length of the log's entry with only this append. */
  public static int entryBytes(Append append) {
    EntryCodec.Entry entry = new EntryCodec.Entry(1, 1, List.of(append));
    return EntryCodec.encode(JournalStateMachine.CODE, entry).length;
  }

  /** Records that the journal has applied it. */
  public static void applied(FencedEvent<?> event, Verdict.Applied verdict) {
    event.applied(verdict);
  }

  /** The event of a lock or a lease in its journal bytes. */
  public static Object event(Bytes stored) {
    try {
      StoredEvent event = StoredEvent.parseFrom(stored.array());
      return SERIALIZER.fromBinary(event.getEvent().toByteArray(), event.getManifest());
    } catch (InvalidProtocolBufferException | NotSerializableException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The state that replaces a lock's history; null if there is none. */
  public static @Nullable LockState state(@Nullable Bytes stored) {
    if (stored == null) {
      return null;
    }
    try {
      StoredState state = StoredState.parseFrom(stored.array());
      return (LockState) SERIALIZER.fromBinary(state.getState().toByteArray(), state.getManifest());
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
