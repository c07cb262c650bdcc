package io.holdfast.journal;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import io.holdfast.internal.journal.JournalEntry;
import io.holdfast.journal.state.Append;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Translates the journal's entries to and from {@code internal/journal_log.proto}.
 *
 * <p>Bytes that cannot be read cause an {@link IllegalArgumentException}.
 */
final class EntryCodec {

  /**
   * One entry of the log.
   *
   * @param writer the process that wrote it
   * @param number counts the entries of that process
   */
  record Entry(long writer, long number, List<Append> appends) {}

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
      in.enableAliasing(
          true); // nobody writes to an entry, and the journal copies all that it keeps of it
      JournalEntry proto = JournalEntry.parseFrom(in);
      return new Entry(proto.getWriter(), proto.getNumber(), appends(proto));
    } catch (IOException e) {
      throw new IllegalArgumentException("an entry cannot be read: " + e.getMessage(), e);
    }
  }

  private static JournalEntry proto(Entry entry) {
    JournalEntry.Builder proto =
        JournalEntry.newBuilder().setWriter(entry.writer).setNumber(entry.number);
    for (Append append : entry.appends) {
      proto.addAppends(AppendCodec.proto(append));
    }
    return proto.build();
  }

  private static List<Append> appends(JournalEntry proto) {
    if (proto.getAppendsCount() == 0) {
      throw new IllegalArgumentException("an entry has no append that is known here");
    }
    return AppendCodec.each(proto.getAppendsList(), AppendCodec::append);
  }
}
