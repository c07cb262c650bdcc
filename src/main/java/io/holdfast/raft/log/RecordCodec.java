package io.holdfast.raft.log;

import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.MemberId;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The bytes of single records: length, type, content, CRC32C over all before it. */
final class RecordCodec {

  static final byte ENTRY = 1;
  static final byte HARD_STATE = 2;
  static final byte TRUNCATED = 3;
  static final byte RESET = 4;
  static final byte CONTINUED = 5;

  /** The bytes of the frame around a record's content. */
  static final int FRAME_BYTES = 4 + 1 + 4;

  /** The content of an entry besides its payload. */
  static final int ENTRY_BYTES = 8 + 8 + 1;

  /** The largest content of a record that is not an entry. */
  static final int SMALL_BYTES = 24;

  private static final int LENGTH_AND_TYPE = 5;

  private final CRC32C crc = new CRC32C();

  void entry(ByteBuffer out, Entry entry) {
    int start = begin(out, ENTRY, ENTRY_BYTES + entry.payload().length);
    out.putLong(entry.term()).putLong(entry.index()).put((byte) entry.kind().code());
    out.put(entry.payload());
    end(out, start);
  }

  void hardState(ByteBuffer out, HardState hardState) {
    int start = begin(out, HARD_STATE, 24);
    MemberId vote = hardState.vote();
    out.putLong(hardState.term()).putLong(vote == null ? 0 : vote.value());
    out.putLong(hardState.commit());
    end(out, start);
  }

  void truncated(ByteBuffer out, long from, long termBefore) {
    pair(out, TRUNCATED, from, termBefore);
  }

  void reset(ByteBuffer out, long index, long term) {
    pair(out, RESET, index, term);
  }

  void continued(ByteBuffer out, long nextSegment) {
    int start = begin(out, CONTINUED, 8);
    out.putLong(nextSegment);
    end(out, start);
  }

  private void pair(ByteBuffer out, byte type, long first, long second) {
    int start = begin(out, type, 16);
    out.putLong(first).putLong(second);
    end(out, start);
  }

  private static int begin(ByteBuffer out, byte type, int length) {
    int start = out.position();
    out.putInt(length).put(type);
    return start;
  }

  private void end(ByteBuffer out, int start) {
    out.putInt(checksum(out, start, out.position()));
  }

  private int checksum(ByteBuffer buffer, int start, int end) {
    int position = buffer.position();
    int limit = buffer.limit();
    crc.reset();
    crc.update(buffer.limit(end).position(start));
    buffer.limit(limit).position(position);
    return (int) crc.getValue();
  }

  /**
   * Checks one record at the buffer's position and moves behind it.
   *
   * @return the fault in it; null if there is none
   */
  @Nullable String skip(ByteBuffer in) {
    int start = in.position();
    if (in.remaining() < FRAME_BYTES) {
      return "[" + in.remaining() + "] bytes are too few for a record";
    }
    int length = in.getInt(start);
    if (length < 0 || length > in.remaining() - FRAME_BYTES) {
      return "a record of [" + length + "] bytes does not fit";
    }
    int end = start + LENGTH_AND_TYPE + length;
    if (in.getInt(end) != checksum(in, start, end)) {
      return "the checksum of a record of [" + length + "] bytes does not match";
    }
    in.position(end + Integer.BYTES);
    return null;
  }

  /**
   * Reads one record that {@link #skip} has checked.
   *
   * @throws IllegalArgumentException if its content makes no sense
   */
  void read(ByteBuffer in, LogRecords into) {
    int length = in.getInt();
    byte type = in.get();
    int end = in.position() + length;
    switch (type) {
      case ENTRY -> {
        require(type, length >= ENTRY_BYTES);
        long term = in.getLong();
        long index = in.getLong();
        EntryKind kind = EntryKind.ofCode(in.get());
        byte[] payload = new byte[length - ENTRY_BYTES];
        in.get(payload);
        into.entry(new Entry(term, index, kind, payload));
      }
      case HARD_STATE -> {
        require(type, length == 24);
        into.hardState(hardState(in));
      }
      case TRUNCATED -> {
        require(type, length == 16);
        into.truncated(in.getLong(), in.getLong());
      }
      case RESET -> {
        require(type, length == 16);
        into.reset(in.getLong(), in.getLong());
      }
      case CONTINUED -> {
        require(type, length == 8);
        into.continued(in.getLong());
      }
      default -> throw new IllegalArgumentException("record type [" + type + "] is unknown");
    }
    in.position(end + Integer.BYTES);
  }

  static HardState hardState(ByteBuffer in) {
    long term = in.getLong();
    long vote = in.getLong();
    return new HardState(term, vote == 0 ? null : new MemberId(vote), in.getLong());
  }

  private static void require(byte type, boolean fits) {
    if (!fits) {
      throw new IllegalArgumentException("record type [" + type + "] has a wrong length");
    }
  }
}
