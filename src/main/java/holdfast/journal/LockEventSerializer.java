package holdfast.journal;

import akka.serialization.SerializerWithStringManifest;
import holdfast.internal.journal.LeaseEnded;
import holdfast.internal.journal.LeaseGranted;
import holdfast.internal.journal.LockAged;
import holdfast.internal.journal.LockBarred;
import holdfast.internal.journal.LockForgotten;
import holdfast.internal.journal.LockFreed;
import holdfast.internal.journal.LockGranted;
import holdfast.internal.journal.LockHandedOver;
import holdfast.internal.journal.LockIs;
import holdfast.internal.journal.LockLeft;
import holdfast.internal.journal.LockQueued;
import holdfast.internal.journal.LockReentered;
import holdfast.internal.journal.LockSteppedOut;
import holdfast.lease.LeaseEvent;
import holdfast.lock.LockEvent;
import java.io.IOException;
import java.io.NotSerializableException;

/**
 * Writes and reads the locks' events as the journal keeps them; {@code internal/journal.proto}.
 *
 * <p>Manifests and bytes are read for ever. A new shape of an event gets a new manifest.
 */
public final class LockEventSerializer extends SerializerWithStringManifest {

  private static final String GRANTED = "lock.granted.1";
  private static final String REENTERED = "lock.reentered.1";
  private static final String STEPPED_OUT = "lock.stepped_out.1";
  private static final String AGED = "lock.aged.1";
  private static final String QUEUED = "lock.queued.1";
  private static final String LEFT = "lock.left.1";
  private static final String BARRED = "lock.barred.1";
  private static final String FREED = "lock.freed.1";
  private static final String HANDED_OVER = "lock.handed_over.1";
  private static final String FORGOTTEN = "lock.forgotten.1";
  private static final String IS = "lock.is.1";
  private static final String LEASE_GRANTED = "lease.granted.1";
  private static final String LEASE_ENDED = "lease.ended.1";

  @Override
  public int identifier() {
    return 74002;
  }

  @Override
  public String manifest(Object value) {
    if (value instanceof LockEvent event) {
      return event.match(new Manifests());
    } else if (value instanceof LeaseEvent event) {
      return event.match(new LeaseManifests());
    } else if (value instanceof LockRecord) {
      return IS;
    }
    throw new IllegalArgumentException("not an event of a lock or lease: [" + value + "]");
  }

  @Override
  public byte[] toBinary(Object value) {
    if (value instanceof LockEvent event) {
      return LockProto.event(event).toByteArray();
    } else if (value instanceof LeaseEvent event) {
      return event.match(new LeaseBytes());
    } else if (value instanceof LockRecord is) {
      return LockProto.state(is.lock()).toByteArray();
    }
    throw new IllegalArgumentException("not an event of a lock or lease: [" + value + "]");
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    try {
      return switch (manifest) {
        case GRANTED -> LockProto.event(LockGranted.parseFrom(bytes));
        case REENTERED -> LockProto.event(LockReentered.parseFrom(bytes));
        case STEPPED_OUT -> LockProto.event(LockSteppedOut.parseFrom(bytes));
        case AGED -> LockProto.event(LockAged.parseFrom(bytes));
        case QUEUED -> LockProto.event(LockQueued.parseFrom(bytes));
        case LEFT -> LockProto.event(LockLeft.parseFrom(bytes));
        case BARRED -> LockProto.event(LockBarred.parseFrom(bytes));
        case FREED -> LockProto.event(LockFreed.parseFrom(bytes));
        case HANDED_OVER -> LockProto.event(LockHandedOver.parseFrom(bytes));
        case FORGOTTEN -> LockProto.event(LockForgotten.parseFrom(bytes));
        case LEASE_GRANTED -> LeaseProto.event(LeaseGranted.parseFrom(bytes));
        case LEASE_ENDED -> LeaseProto.event(LeaseEnded.parseFrom(bytes));
        case IS -> new LockRecord(LockProto.state(LockIs.parseFrom(bytes)));
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

  private static final class Manifests implements LockEvent.Cases<String> {

    @Override
    public String granted(LockEvent.Granted granted) {
      return GRANTED;
    }

    @Override
    public String reentered(LockEvent.Reentered reentered) {
      return REENTERED;
    }

    @Override
    public String steppedOut(LockEvent.SteppedOut steppedOut) {
      return STEPPED_OUT;
    }

    @Override
    public String aged(LockEvent.Aged aged) {
      return AGED;
    }

    @Override
    public String queued(LockEvent.Queued queued) {
      return QUEUED;
    }

    @Override
    public String left(LockEvent.Left left) {
      return LEFT;
    }

    @Override
    public String barred(LockEvent.Barred barred) {
      return BARRED;
    }

    @Override
    public String freed(LockEvent.Freed freed) {
      return FREED;
    }

    @Override
    public String handedOver(LockEvent.HandedOver handedOver) {
      return HANDED_OVER;
    }

    @Override
    public String forgotten(LockEvent.Forgotten forgotten) {
      return FORGOTTEN;
    }
  }

  private static final class LeaseManifests implements LeaseEvent.Cases<String> {

    @Override
    public String granted(LeaseEvent.Granted granted) {
      return LEASE_GRANTED;
    }

    @Override
    public String ended(LeaseEvent.Ended ended) {
      return LEASE_ENDED;
    }
  }

  private static final class LeaseBytes implements LeaseEvent.Cases<byte[]> {

    @Override
    public byte[] granted(LeaseEvent.Granted granted) {
      return LeaseProto.granted(granted).toByteArray();
    }

    @Override
    public byte[] ended(LeaseEvent.Ended ended) {
      return LeaseProto.ended(ended).toByteArray();
    }
  }
}
