package io.holdfast.journal;

import com.google.protobuf.InvalidProtocolBufferException;
import io.holdfast.bytes.Bytes;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.internal.journal.StoredEvent;
import io.holdfast.internal.journal.StoredState;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Replay;
import io.holdfast.lock.rules.LockState;
import java.io.NotSerializableException;

/** Reads the state of a lock from the journal, without its actor. */
public final class LockHistoryReader {

  private static final LockEventSerializer SERIALIZER = new LockEventSerializer();

  private LockHistoryReader() {}

  /** The state of a lock in this version; free if the journal has no history of it. */
  public static LockState read(JournalVersion version, ShardId shard, PersistenceId persistenceId) {
    Replay replay = version.replay(shard, persistenceId, 1);
    Bytes state = replay.state();
    try {
      LockState lock = LockState.FREE;
      if (state != null) {
        StoredState stored = StoredState.parseFrom(state.array());
        lock =
            (LockState)
                SERIALIZER.fromBinary(stored.getState().toByteArray(), stored.getManifest());
      }
      for (Bytes bytes : replay.events()) {
        StoredEvent stored = StoredEvent.parseFrom(bytes.array());
        lock =
            ((PersistedLockEvents)
                    SERIALIZER.fromBinary(stored.getEvent().toByteArray(), stored.getManifest()))
                .after(lock);
      }
      return lock;
    } catch (InvalidProtocolBufferException | NotSerializableException e) {
      throw new IllegalStateException("the history of [" + persistenceId + "] cannot be read", e);
    }
  }
}
