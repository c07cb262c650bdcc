package io.holdfast.raft.log;

import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.HardState;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The next batch, gathered record by record in one buffer that is used again and again.
 *
 * <p>A payload is copied twice, here and between the marks of the blocks; both buffers are outside
 * the heap, so the write itself copies nothing.
 */
final class BatchEncoder implements LogRecords {

  private final RecordCodec codec = new RecordCodec();
  private final CRC32C crc = new CRC32C();
  private ByteBuffer content;
  private ByteBuffer blocks;
  private int records;

  BatchEncoder(int expectedBytes) {
    content = ByteBuffer.allocateDirect(BatchHeader.BYTES + expectedBytes);
    blocks = ByteBuffer.allocateDirect(Blocks.sizeOf(content.capacity()));
    clear();
  }

  static int sizeOf(Entry entry) {
    return RecordCodec.FRAME_BYTES + RecordCodec.ENTRY_BYTES + entry.payload().length;
  }

  @Override
  public void entry(Entry entry) {
    ensure(sizeOf(entry));
    codec.entry(content, entry);
    records++;
  }

  @Override
  public void hardState(HardState hardState) {
    ensureSmall();
    codec.hardState(content, hardState);
  }

  @Override
  public void truncated(long from, long termBefore) {
    ensureSmall();
    codec.truncated(content, from, termBefore);
  }

  @Override
  public void reset(long index, long term) {
    ensureSmall();
    codec.reset(content, index, term);
  }

  @Override
  public void continued(long nextSegment) {
    ensureSmall();
    codec.continued(content, nextSegment);
  }

  boolean isEmpty() {
    return records == 0;
  }

  int bodyBytes() {
    return content.position() - BatchHeader.BYTES;
  }

  int sizeOnDisk() {
    return Blocks.sizeOf(content.position());
  }

  /** The batch as it is to be written at this place, until the next record is put. */
  ByteBuffer finish(long sequence, long confirmed, SegmentHeader segment, int offset) {
    BatchHeader.encode(content, sequence, confirmed, bodyBytes(), records, segment, offset, crc);
    Blocks.mark(content, content.position(), blocks);
    clear();
    return blocks;
  }

  private void clear() {
    content.clear().position(BatchHeader.BYTES);
    records = 0;
  }

  private void ensureSmall() {
    ensure(RecordCodec.FRAME_BYTES + RecordCodec.SMALL_BYTES);
    records++;
  }

  private void ensure(int bytes) {
    if (content.remaining() < bytes) {
      int capacity = Math.max(2 * content.capacity(), content.position() + bytes);
      content = ByteBuffer.allocateDirect(capacity).put(content.flip());
      blocks = ByteBuffer.allocateDirect(Blocks.sizeOf(capacity));
    }
  }
}
