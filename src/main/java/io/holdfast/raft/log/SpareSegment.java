package io.holdfast.raft.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The next segment, filled with zeros ahead of its use, so that syncs of batches in it change no
 * metadata and find the blocks already written once.
 *
 * <p>Thread: any; {@link #prepare} is short, so that nobody waits long for another.
 */
final class SpareSegment {

  static final String NAME = "next.tmp";

  private static final int STEP_BYTES = 1 << 20;

  private final Disk disk;
  private final int segmentBytes;
  private final ByteBuffer zeros;
  private @Nullable DiskFile file;
  private int filled;
  private boolean closed;
  private volatile boolean complete;

  SpareSegment(Disk disk, int segmentBytes) {
    this.disk = disk;
    this.segmentBytes = segmentBytes;
    this.zeros = ByteBuffer.allocateDirect(Math.min(STEP_BYTES, segmentBytes));
  }

  /** True if nothing is left to prepare. */
  boolean isComplete() {
    return complete;
  }

  /**
   * Fills the next part, durably. Returns whether there is more to do; after a failure all of it
   * is.
   */
  synchronized boolean prepare() throws IOException {
    if (closed) {
      return false;
    }
    if (file == null) {
      file = disk.create(NAME);
      filled = 0;
    }
    if (filled == segmentBytes) {
      return false;
    }
    int step = Math.min(zeros.capacity(), segmentBytes - filled);
    try {
      file.write(zeros.clear().limit(step), filled);
      file.force(true);
    } catch (IOException e) {
      discard(); // what was written may be lost by now, and its room may be wanted
      throw e;
    }
    filled += step;
    complete = filled == segmentBytes;
    return !complete;
  }

  private void discard() {
    DiskFile unfit = file;
    file = null;
    try {
      if (unfit != null) {
        unfit.close();
      }
      disk.delete(NAME);
    } catch (IOException e) {
      // It is made anew, in place of what is there.
    }
  }

  /** Makes the spare a segment of the log. Its name and content are durable on return. */
  synchronized Segment activate(SegmentHeader header) throws IOException {
    boolean more = true;
    while (more) {
      more = prepare();
    }
    DiskFile ready = file;
    if (ready == null) {
      throw new IllegalStateException("there is no spare segment");
    }
    ready.write(header.encode(), 0);
    ready.force(true);
    disk.rename(NAME, header.name());
    disk.force();
    file = null;
    complete = false;
    return new Segment(header, ready, Blocks.SIZE);
  }

  synchronized void close() throws IOException {
    closed = true;
    if (file != null) {
      file.close();
    }
  }
}
