package io.holdfast.journal;

import akka.serialization.SerializerWithStringManifest;
import com.google.protobuf.MessageLite;
import io.holdfast.internal.journal.AnyLeaseEvent;
import io.holdfast.internal.journal.LockEventList;
import io.holdfast.internal.journal.LockIs;
import io.holdfast.lock.rules.LockState;
import java.io.IOException;
import java.io.NotSerializableException;

/**
 * Akka's serializer of the locks' and leases' events and of the locks' states: {@code
 * internal/journal.proto}.
 *
 * <p>Every later version reads these manifests and bytes. A new format gets a new manifest.
 */
public final class LockEventSerializer extends SerializerWithStringManifest {

  private static final String LOCK_EVENTS = "lock.events.1";
  private static final String LOCK_IS = "lock.is.1";
  private static final String LEASE_EVENT = "lease.event.1";

  @Override
  public int identifier() {
    return 74002;
  }

  @Override
  public String manifest(Object value) {
    if (value instanceof PersistedLockEvents) {
      return LOCK_EVENTS;
    } else if (value instanceof LockState) {
      return LOCK_IS;
    } else if (value instanceof PersistedLeaseEvent) {
      return LEASE_EVENT;
    }
    throw unknown(value);
  }

  @Override
  public byte[] toBinary(Object value) {
    return proto(value).toByteArray();
  }

  private static MessageLite proto(Object value) {
    if (value instanceof PersistedLockEvents lock) {
      return LockProto.events(lock.events());
    } else if (value instanceof LockState lock) {
      return LockProto.state(lock);
    } else if (value instanceof PersistedLeaseEvent lease) {
      return LeaseProto.event(lease.event());
    }
    throw unknown(value);
  }

  private static RuntimeException unknown(Object value) {
    return new IllegalArgumentException("no event or state of a lock or lease: [" + value + "]");
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    try {
      return switch (manifest) {
        case LOCK_EVENTS ->
            new PersistedLockEvents(LockProto.events(LockEventList.parseFrom(bytes)));
        case LOCK_IS -> LockProto.state(LockIs.parseFrom(bytes));
        case LEASE_EVENT ->
            new PersistedLeaseEvent(LeaseProto.event(AnyLeaseEvent.parseFrom(bytes)));
        default -> throw new NotSerializableException("unknown manifest [" + manifest + "]");
      };
    } catch (NotSerializableException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      NotSerializableException unreadable =
          new NotSerializableException("[" + manifest + "] cannot be read: " + e.getMessage());
      unreadable.initCause(e);
      throw unreadable;
    }
  }
}
