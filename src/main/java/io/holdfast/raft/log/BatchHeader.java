package io.holdfast.raft.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The header before the records of one write.
 *
 * @param sequence rises by one with each batch, over all segments
 * @param confirmed the last batch that was known to be durable when this one was written
 * @param bodyBytes the records' length together
 * @param records the number of records
 */
record BatchHeader(long sequence, long confirmed, int bodyBytes, int records) {

  static final int BYTES = 4 + 4 + 8 + 8 + 4 + 4;

  private static final int MAGIC = 0x48464254; // HFBT
  private static final int CHECKED_FROM = 8;

  /** The bytes of the segment that the batch takes. */
  int sizeOnDisk() {
    return Blocks.sizeOf(BYTES + bodyBytes);
  }

  /** Writes a header at the start of {@code content}. */
  static void encode(
      ByteBuffer content,
      long sequence,
      long confirmed,
      int bodyBytes,
      int records,
      SegmentHeader segment,
      int offset,
      CRC32C crc) {
    content.putInt(0, MAGIC).putLong(8, sequence).putLong(16, confirmed);
    content.putInt(24, bodyBytes).putInt(28, records);
    content.putInt(4, checksum(content, segment, offset, crc));
  }

  /** Reads the header at an offset of a segment; null if none was written there. */
  static @Nullable BatchHeader decode(
      ByteBuffer blocks, int at, SegmentHeader segment, int offset) {
    ByteBuffer in = ByteBuffer.allocate(BYTES);
    Blocks.unmark(blocks, at, BYTES, in);
    if (in.getInt(0) != MAGIC || in.getInt(4) != checksum(in, segment, offset, new CRC32C())) {
      return null;
    }
    BatchHeader header =
        new BatchHeader(in.getLong(8), in.getLong(16), in.getInt(24), in.getInt(28));
    return header.bodyBytes < 0 ? null : header;
  }

  private static int checksum(ByteBuffer content, SegmentHeader segment, int offset, CRC32C crc) {
    crc.reset();
    mix(crc, segment.salt());
    mix(crc, segment.number());
    mix(crc, offset);
    int position = content.position();
    int limit = content.limit();
    crc.update(content.limit(BYTES).position(CHECKED_FROM));
    content.limit(limit).position(position);
    return (int) crc.getValue();
  }

  private static void mix(CRC32C crc, long value) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      crc.update((int) (value >>> shift));
    }
  }
}
