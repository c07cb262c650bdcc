package io.holdfast.journal;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import io.holdfast.internal.journal.AppendBatch;
import io.holdfast.internal.journal.DeleteSnapshots;
import io.holdfast.internal.journal.JournalEntry;
import io.holdfast.internal.journal.SaveSnapshot;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.JournalCommand;
import io.holdfast.journal.state.SavedSnapshot;
import io.holdfast.journal.state.SnapshotRange;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Translates between the journal's commands and {@code internal/journal_log.proto}.
 *
 * <p>What cannot be read is an {@link IllegalArgumentException}.
 */
final class EntryCodec {

  /** One entry of the log: a command, and which process wrote it as its how-manieth. */
  record Entry(long writer, long number, JournalCommand command) {}

  private EntryCodec() {}

  /** The entry's bytes, behind the byte that names the journal. */
  static byte[] encode(byte code, Entry entry) {
    JournalEntry proto = proto(entry);
    byte[] bytes = new byte[1 + proto.getSerializedSize()];
    bytes[0] = code;
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes, 1, bytes.length - 1);
      proto.writeTo(out);
      out.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException("an array cannot be written to", e);
    }
    return bytes;
  }

  static Entry decode(byte[] bytes) {
    try {
      CodedInputStream in =
          UnsafeByteOperations.unsafeWrap(bytes, 1, bytes.length - 1).newCodedInput();
      in.enableAliasing(true); // nobody writes to an entry, and all that is kept of it is copied
      JournalEntry proto = JournalEntry.parseFrom(in);
      return new Entry(proto.getWriter(), proto.getNumber(), command(proto));
    } catch (IOException e) {
      throw new IllegalArgumentException("an entry cannot be read: " + e.getMessage(), e);
    }
  }

  private static JournalEntry proto(Entry entry) {
    JournalEntry.Builder proto =
        JournalEntry.newBuilder().setWriter(entry.writer).setNumber(entry.number);
    return entry
        .command
        .match(
            new JournalCommand.Cases<JournalEntry.Builder>() {
              @Override
              public JournalEntry.Builder appendBatch(JournalCommand.AppendBatch batch) {
                AppendBatch.Builder appends = AppendBatch.newBuilder();
                for (Append append : batch.appends()) {
                  appends.addAppends(AppendCodec.proto(append));
                }
                return proto.setAppend(appends);
              }

              @Override
              public JournalEntry.Builder deleteTo(JournalCommand.DeleteTo delete) {
                proto
                    .getDeleteBuilder()
                    .setTurn(AppendCodec.proto(delete.turn()))
                    .setPersistenceId(delete.persistenceId())
                    .setToSequenceNr(delete.toSequenceNr());
                return proto;
              }

              @Override
              public JournalEntry.Builder saveSnapshot(JournalCommand.SaveSnapshot save) {
                proto
                    .getSaveSnapshotBuilder()
                    .setTurn(AppendCodec.proto(save.turn()))
                    .setPersistenceId(save.persistenceId())
                    .setSequenceNr(save.snapshot().sequenceNr())
                    .setTimestamp(save.snapshot().timestamp())
                    .setContent(AppendCodec.bytes(save.snapshot().content()));
                return proto;
              }

              @Override
              public JournalEntry.Builder deleteSnapshots(JournalCommand.DeleteSnapshots delete) {
                proto
                    .getDeleteSnapshotsBuilder()
                    .setTurn(AppendCodec.proto(delete.turn()))
                    .setPersistenceId(delete.persistenceId())
                    .setMinSequenceNr(delete.range().minSequenceNr())
                    .setMaxSequenceNr(delete.range().maxSequenceNr())
                    .setMinTimestamp(delete.range().minTimestamp())
                    .setMaxTimestamp(delete.range().maxTimestamp());
                return proto;
              }
            })
        .build();
  }

  private static JournalCommand command(JournalEntry proto) {
    return switch (proto.getCommandCase()) {
      case APPEND ->
          new JournalCommand.AppendBatch(
              AppendCodec.each(proto.getAppend().getAppendsList(), AppendCodec::append));
      case DELETE ->
          new JournalCommand.DeleteTo(
              AppendCodec.turn(proto.getDelete().getTurn()),
              proto.getDelete().getPersistenceId(),
              proto.getDelete().getToSequenceNr());
      case SAVE_SNAPSHOT -> {
        SaveSnapshot save = proto.getSaveSnapshot();
        yield new JournalCommand.SaveSnapshot(
            AppendCodec.turn(save.getTurn()),
            save.getPersistenceId(),
            new SavedSnapshot(
                save.getSequenceNr(), save.getTimestamp(), AppendCodec.bytes(save.getContent())));
      }
      case DELETE_SNAPSHOTS -> {
        DeleteSnapshots delete = proto.getDeleteSnapshots();
        yield new JournalCommand.DeleteSnapshots(
            AppendCodec.turn(delete.getTurn()),
            delete.getPersistenceId(),
            new SnapshotRange(
                delete.getMinSequenceNr(),
                delete.getMaxSequenceNr(),
                delete.getMinTimestamp(),
                delete.getMaxTimestamp()));
      }
      case COMMAND_NOT_SET -> throw new IllegalArgumentException("no command that is known here");
    };
  }
}
