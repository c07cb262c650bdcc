package io.holdfast.grpc.watch;

import io.holdfast.grpc.translate.RecordWriter;
import io.holdfast.journal.ChangeNote;
import io.holdfast.journal.LockRecordReader;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.lock.rules.GrantEnding;
import io.holdfast.v1.Cause;
import io.holdfast.watch.LockChange;
import org.jspecify.annotations.Nullable;

/** Translates public records of locks, and takes causes from the notes of changes. */
final class ChangeNoteTranslator implements WatchEventTranslator {

  @Override
  public io.holdfast.v1.LockRecord record(String key, PublicRecord record) {
    io.holdfast.v1.LockRecord.Builder lock =
        io.holdfast.v1.LockRecord.newBuilder()
            .setKey(key)
            .setCreateRevision(record.created().value())
            .setModRevision(record.revision().value())
            .setVersion(record.version());
    LockRecordReader.holders(record)
        .forEach(holder -> lock.addHolders(RecordWriter.holder(holder)));
    return lock.build();
  }

  @Override
  public EventCause cause(LockChange change) {
    ChangeNote note = ChangeNote.of(change.change().note());
    return new EventCause(cause(note.cause()), cause(note.ended()), note.forceReason(), "");
  }

  private static Cause cause(ChangeNote.Cause cause) {
    return switch (cause) {
      case GRANTED -> Cause.CAUSE_GRANTED;
      case HANDED_OVER -> Cause.CAUSE_HANDED_OVER;
      case RELEASED -> Cause.CAUSE_RELEASED;
      case EXPIRED -> Cause.CAUSE_EXPIRED;
      case REVOKED -> Cause.CAUSE_REVOKED;
      case FORCED -> Cause.CAUSE_FORCED;
    };
  }

  private static Cause cause(GrantEnding.@Nullable Cause ended) {
    if (ended == null) {
      return Cause.CAUSE_UNSPECIFIED;
    }
    return switch (ended) {
      case RELEASED -> Cause.CAUSE_RELEASED;
      case EXPIRED -> Cause.CAUSE_EXPIRED;
      case FORCED -> Cause.CAUSE_FORCED;
      case LEASE_ENDED -> Cause.CAUSE_UNSPECIFIED; // an earlier event has the cause
    };
  }
}
