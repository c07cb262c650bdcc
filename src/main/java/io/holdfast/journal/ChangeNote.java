package io.holdfast.journal;

import com.google.protobuf.InvalidProtocolBufferException;
import io.holdfast.bytes.Bytes;
import io.holdfast.internal.journal.EndCause;
import io.holdfast.lease.rules.LeaseEvent;
import io.holdfast.lock.rules.GrantEnding;
import io.holdfast.lock.rules.LockEvent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Note about a change of a lock, for watches: the cause, which the record does not show.
 *
 * @param ended of a hand-over: the cause that ended the previous grant; null if an earlier change
 *     has told it
 * @param forceReason the reason why the lock was taken away by force; else empty
 */
public record ChangeNote(Cause cause, GrantEnding.@Nullable Cause ended, String forceReason) {

  /** The cause of a lock's change. */
  public enum Cause {
    GRANTED,
    HANDED_OVER,
    RELEASED,
    EXPIRED,
    REVOKED,
    FORCED
  }

  /** The note of a lock's event; empty if the event is no public change. */
  public static final class OfLock implements LockEvent.Cases<Optional<ChangeNote>> {

    @Override
    public Optional<ChangeNote> granted(LockEvent.Granted granted) {
      return Optional.of(new ChangeNote(Cause.GRANTED, null, ""));
    }

    @Override
    public Optional<ChangeNote> reentered(LockEvent.Reentered reentered) {
      return Optional.of(new ChangeNote(Cause.GRANTED, null, ""));
    }

    @Override
    public Optional<ChangeNote> steppedOut(LockEvent.SteppedOut steppedOut) {
      return Optional.of(new ChangeNote(Cause.RELEASED, null, ""));
    }

    @Override
    public Optional<ChangeNote> aged(LockEvent.Aged aged) {
      return Optional.empty();
    }

    @Override
    public Optional<ChangeNote> queued(LockEvent.Queued queued) {
      return Optional.empty();
    }

    @Override
    public Optional<ChangeNote> left(LockEvent.Left left) {
      return Optional.empty();
    }

    @Override
    public Optional<ChangeNote> barred(LockEvent.Barred barred) {
      return Optional.empty();
    }

    @Override
    public Optional<ChangeNote> freed(LockEvent.Freed freed) {
      return Optional.of(
          new ChangeNote(
              switch (freed.ending().cause()) {
                case RELEASED -> Cause.RELEASED;
                case EXPIRED, LEASE_ENDED -> Cause.EXPIRED;
                case FORCED -> Cause.FORCED;
              },
              null,
              freed.ending().forceReason()));
    }

    @Override
    public Optional<ChangeNote> handedOver(LockEvent.HandedOver event) {
      GrantEnding ending = event.ending();
      return Optional.of(
          new ChangeNote(
              Cause.HANDED_OVER,
              ending.cause() == GrantEnding.Cause.LEASE_ENDED ? null : ending.cause(),
              ending.forceReason()));
    }

    /** The journal counts it as no change, since there was no record. */
    @Override
    public Optional<ChangeNote> forgotten(LockEvent.Forgotten forgotten) {
      return Optional.of(new ChangeNote(Cause.RELEASED, null, ""));
    }
  }

  /** True if an event of a lock is a public change. */
  public static boolean isOf(LockEvent event) {
    return event.match(new OfLock()).isPresent();
  }

  /** The note of a lease's end, for all locks that were attached to it. */
  public static ChangeNote of(LeaseEvent.Cause cause) {
    return new ChangeNote(
        switch (cause) {
          case EXPIRED -> Cause.EXPIRED;
          case REVOKED -> Cause.REVOKED;
        },
        null,
        "");
  }

  public Bytes toBytes() {
    io.holdfast.internal.journal.ChangeNote.Builder proto =
        io.holdfast.internal.journal.ChangeNote.newBuilder()
            .setCause(proto(cause))
            .setForceReason(forceReason);
    if (ended != null) {
      proto.setEnded(LockProto.cause(ended));
    }
    return Bytes.of(proto.build().toByteArray());
  }

  /**
   * Reads a note.
   *
   * @throws IllegalArgumentException if the bytes are no note
   */
  public static ChangeNote of(Bytes bytes) {
    try {
      var proto = io.holdfast.internal.journal.ChangeNote.parseFrom(bytes.array());
      return new ChangeNote(
          cause(proto.getCause()),
          proto.getEnded() == EndCause.END_CAUSE_UNSPECIFIED
              ? null
              : LockProto.cause(proto.getEnded()),
          proto.getForceReason());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("no note of a change: " + e.getMessage(), e);
    }
  }

  private static io.holdfast.internal.journal.ChangeNote.Cause proto(Cause cause) {
    return switch (cause) {
      case GRANTED -> io.holdfast.internal.journal.ChangeNote.Cause.CAUSE_GRANTED;
      case HANDED_OVER -> io.holdfast.internal.journal.ChangeNote.Cause.CAUSE_HANDED_OVER;
      case RELEASED -> io.holdfast.internal.journal.ChangeNote.Cause.CAUSE_RELEASED;
      case EXPIRED -> io.holdfast.internal.journal.ChangeNote.Cause.CAUSE_EXPIRED;
      case REVOKED -> io.holdfast.internal.journal.ChangeNote.Cause.CAUSE_REVOKED;
      case FORCED -> io.holdfast.internal.journal.ChangeNote.Cause.CAUSE_FORCED;
    };
  }

  private static Cause cause(io.holdfast.internal.journal.ChangeNote.Cause proto) {
    return switch (proto) {
      case CAUSE_GRANTED -> Cause.GRANTED;
      case CAUSE_HANDED_OVER -> Cause.HANDED_OVER;
      case CAUSE_RELEASED -> Cause.RELEASED;
      case CAUSE_EXPIRED -> Cause.EXPIRED;
      case CAUSE_REVOKED -> Cause.REVOKED;
      case CAUSE_FORCED -> Cause.FORCED;
      case CAUSE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("no cause that is known here");
    };
  }
}
