package holdfast.journal;

import com.google.protobuf.InvalidProtocolBufferException;
import holdfast.internal.journal.LockIs;
import holdfast.journal.state.Bytes;
import holdfast.lock.LockState;

/**
 * What a lock is, as the journal keeps it: in place of its history, and, as bytes, for everyone to
 * see. Manifest {@code lock.is.1}.
 */
public record LockRecord(LockState lock) {

  /** The public record of the lock. */
  public Bytes toBytes() {
    return Bytes.of(LockProto.state(lock).toByteArray());
  }

  /**
   * Reads a public record.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static LockRecord of(Bytes bytes) {
    try {
      return new LockRecord(LockProto.state(LockIs.parseFrom(bytes.array())));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("no record of a lock: " + e.getMessage(), e);
    }
  }
}
