package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import java.nio.ByteBuffer;

/**
 * A public change as bytes, to keep many of them in memory: its revision, its id with a length,
 * both records, and its note. This is no format for a disk or a network.
 */
public final class ChangeBytes {

  private ChangeBytes() {}

  public static byte[] of(Change change) {
    byte[] id = Bytes.of(change.id().value()).array();
    byte[] note = change.note().array();
    int records = HistoryBytes.size(change.before()) + HistoryBytes.size(change.after());
    ByteBuffer out =
        ByteBuffer.allocate(
            Long.BYTES + 2 * Integer.BYTES + 2 * Short.BYTES + id.length + records + note.length);
    out.putLong(change.revision().value()).putInt(id.length).put(id);
    HistoryBytes.put(out, change.before());
    HistoryBytes.put(out, change.after());
    return out.putInt(note.length).put(note).array();
  }

  /** The id of the change that begins here. Reads nothing else of it. */
  public static PersistenceId id(ByteBuffer in) {
    ByteBuffer from = in.slice().position(Long.BYTES);
    return new PersistenceId(HistoryBytes.take(from, from.getInt()).text());
  }

  /** The change that begins here. */
  public static Change take(ByteBuffer in) {
    Revision revision = new Revision(in.getLong());
    PersistenceId id = new PersistenceId(HistoryBytes.take(in, in.getInt()).text());
    PublicRecord before = HistoryBytes.takeRecord(in, id);
    PublicRecord after = HistoryBytes.takeRecord(in, id);
    return new Change(revision, id, before, after, HistoryBytes.take(in, in.getInt()));
  }
}
