package io.holdfast.raft.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Decodes batches in memory or in a file. */
final class BatchDecoder {

  private final RecordCodec codec = new RecordCodec();
  private ByteBuffer content = ByteBuffer.allocate(1 << 16);

  /**
   * Checks the records of the batch at an offset of {@code blocks}, which holds all of it.
   *
   * @return the fault in it; null if there is none
   */
  @Nullable String load(BatchHeader header, ByteBuffer blocks, int offset) {
    int bytes = BatchHeader.BYTES + header.bodyBytes();
    if (content.capacity() < bytes) {
      content = ByteBuffer.allocate(Math.max(bytes, 2 * content.capacity()));
    }
    Blocks.unmark(blocks, offset, bytes, content);
    content.position(BatchHeader.BYTES);
    for (int record = 0; record < header.records(); record++) {
      String wrong = codec.skip(content);
      if (wrong != null) {
        return wrong;
      }
    }
    return content.hasRemaining() ? "the batch is longer than its records" : null;
  }

  /**
   * Gives the records of the batch that was loaded last.
   *
   * @throws IllegalArgumentException if they make no sense
   */
  void replay(BatchHeader header, LogRecords into) {
    content.position(BatchHeader.BYTES);
    for (int record = 0; record < header.records(); record++) {
      codec.read(content, into);
    }
  }

  /** Loads and gives the records of a batch that is known to be whole. */
  void replay(DiskFile file, SegmentHeader segment, int offset, LogRecords into)
      throws IOException {
    ByteBuffer first = ByteBuffer.allocate(Blocks.SIZE);
    file.read(first, offset);
    BatchHeader header = BatchHeader.decode(first, 0, segment, offset);
    if (header == null || header.sizeOnDisk() > segment.segmentBytes() - offset) {
      throw new LogDamaged(segment.name(), offset, "a batch that was whole is not there any more");
    }
    ByteBuffer all = ByteBuffer.allocate(header.sizeOnDisk());
    file.read(all, offset);
    String wrong = load(header, all, 0);
    if (wrong != null) {
      throw new LogDamaged(segment.name(), offset, wrong);
    }
    replay(header, into);
  }
}
