package io.holdfast.raft.log;

import java.nio.ByteBuffer;

/**
 * The outermost layer of a segment: blocks of the size of a disk sector, each with a mark as its
 * last byte that says that it was written to its end.
 */
final class Blocks {

  /* A disk writes a sector from its first byte on, whole or not at all or, at worst, torn at some
   * byte. A block that was never written is zero, and so is what lies behind a tear. The mark is
   * never zero, stands last and is covered by no checksum: where it is present, all before it was
   * written, and any mismatch there is damage. That is what lets recovery tell the end of an
   * interrupted write from damage in a completed one. If the mark alone is damaged, the checksums
   * still hold and nothing is lost.
   */

  /** The size of a block, and what offsets of batches are multiples of. */
  static final int SIZE = 512;

  /** The bytes of a block besides its mark. */
  static final int CONTENT = SIZE - 1;

  static final byte MARK = (byte) 0xA5;

  private Blocks() {}

  /** The bytes on disk that carry this much content. */
  static int sizeOf(int contentBytes) {
    return (contentBytes + CONTENT - 1) / CONTENT * SIZE;
  }

  /** Spreads {@code contentBytes} from the start of {@code content} over marked blocks. */
  static void mark(ByteBuffer content, int contentBytes, ByteBuffer blocks) {
    int size = sizeOf(contentBytes);
    blocks.clear().limit(size);
    for (int from = 0, to = 0; to < size; from += CONTENT, to += SIZE) {
      int length = Math.min(CONTENT, contentBytes - from);
      blocks.put(to, content, from, length);
      for (int pad = to + length; pad < to + CONTENT; pad++) {
        blocks.put(pad, (byte) 0);
      }
      blocks.put(to + CONTENT, MARK);
    }
  }

  /** Takes {@code contentBytes} out of the blocks that begin at {@code offset}. */
  static void unmark(ByteBuffer blocks, int offset, int contentBytes, ByteBuffer content) {
    content.clear().limit(contentBytes);
    for (int from = offset, to = 0; to < contentBytes; from += SIZE, to += CONTENT) {
      content.put(to, blocks, from, Math.min(CONTENT, contentBytes - to));
    }
  }

  static boolean isMarked(ByteBuffer blocks, int offset) {
    return blocks.get(offset + CONTENT) != 0;
  }

  /** The first byte from {@code offset} on that is not zero, or the limit. */
  static int firstNonZero(ByteBuffer bytes, int offset) {
    int at = offset;
    while (at + Long.BYTES <= bytes.limit() && bytes.getLong(at) == 0) {
      at += Long.BYTES;
    }
    while (at < bytes.limit() && bytes.get(at) == 0) {
      at++;
    }
    return at;
  }
}
