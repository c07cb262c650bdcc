package io.holdfast.raft.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One open segment file. */
final class Segment {

  private final SegmentHeader header;
  private final DiskFile file;
  private int end;

  /**
   * @param end the position of the next batch
   */
  Segment(SegmentHeader header, DiskFile file, int end) {
    this.header = header;
    this.file = file;
    this.end = end;
  }

  SegmentHeader header() {
    return header;
  }

  DiskFile file() {
    return file;
  }

  int end() {
    return end;
  }

  /** The place of a batch at the end, as {@link EntryIndex} keeps it. */
  long place() {
    return header.number() << 32 | end;
  }

  static long numberOf(long place) {
    return place >>> 32;
  }

  static int offsetOf(long place) {
    return (int) place;
  }

  /** True if a batch fits, and the block that says where the log continues. */
  boolean hasRoomFor(int bytes) {
    return bytes + Blocks.SIZE <= header.segmentBytes() - end;
  }

  /** Writes a batch; it is not durable yet. */
  void write(ByteBuffer batch) throws IOException {
    int size = batch.remaining();
    file.write(batch, end);
    end += size;
  }

  void force() throws IOException {
    file.force(false);
  }
}
