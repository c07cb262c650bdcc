package io.holdfast.raft.log;

import io.holdfast.raft.core.SnapshotMeta;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A snapshot on its way to the disk, under a temporary name. It counts only once {@link
 * SnapshotStore} has given it its name.
 *
 * <p>Thread: one at a time, which need not be the log's.
 */
public final class SnapshotFileWriter extends OutputStream {

  /** A sync of everything at the end would take long; the disk gets its share on the way. */
  private static final int SYNC_EVERY_CHUNKS = 64;

  private final String name;
  private final DiskFile file;
  private final FirstFailure failure;
  private final Fingerprint fingerprint = new Fingerprint();
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer chunk =
      ByteBuffer.allocateDirect(
          SnapshotFileFormat.CHUNK_FRAME_BYTES + SnapshotFileFormat.CHUNK_BYTES);
  private long size;
  private long chunks;
  private boolean finished;

  SnapshotFileWriter(String name, DiskFile file, LogIdentity identity, FirstFailure failure)
      throws IOException {
    this.name = name;
    this.file = file;
    this.failure = failure;
    file.write(SnapshotFileFormat.header(identity), 0);
    chunk.position(SnapshotFileFormat.CHUNK_FRAME_BYTES);
  }

  @Override
  public void write(int value) {
    write(new byte[] {(byte) value}, 0, 1);
  }

  /** Writes the next bytes of the state; not durable yet. */
  @Override
  public void write(byte[] bytes, int offset, int length) {
    failure.guard(
        "write the snapshot [" + name + "]",
        () -> {
          for (int at = offset; at < offset + length; ) {
            int part = Math.min(chunk.remaining(), offset + length - at);
            chunk.put(bytes, at, part);
            at += part;
            if (!chunk.hasRemaining()) {
              flushChunk();
            }
          }
          fingerprint.update(bytes, offset, length);
          size += length;
          return true;
        });
  }

  /**
   * Completes the file; its content, not its name, is durable on return.
   *
   * @return {@code meta} with the size and the fingerprint that were written
   */
  public SnapshotMeta finish(SnapshotMeta meta) {
    return failure.guard(
        "finish the snapshot [" + name + "]",
        () -> {
          if (chunk.position() > SnapshotFileFormat.CHUNK_FRAME_BYTES) {
            flushChunk();
          }
          SnapshotMeta written = meta.written(size, fingerprint.value());
          file.write(SnapshotFileFormat.footer(written), SnapshotFileFormat.footerAt(size));
          file.force(true);
          finished = true;
          return written;
        });
  }

  /** Closes the file, which is forgotten unless it was taken into the store. */
  @Override
  public void close() {
    failure.guard(
        "close the snapshot [" + name + "]",
        () -> {
          file.close();
          return true;
        });
  }

  /** Closes the file, whatever became of it. */
  void discard() {
    try {
      file.close();
    } catch (IOException e) {
      // Nobody wants it any more.
    }
  }

  long size() {
    return size;
  }

  String name() {
    return name;
  }

  boolean isFinished() {
    return finished;
  }

  private void flushChunk() throws IOException {
    chunk.flip().position(SnapshotFileFormat.CHUNK_FRAME_BYTES);
    chunk.putInt(0, SnapshotFileFormat.checksum(crc, chunks, chunk));
    file.write(chunk.rewind(), SnapshotFileFormat.chunkAt(chunks));
    chunks++;
    chunk.clear().position(SnapshotFileFormat.CHUNK_FRAME_BYTES);
    if (chunks % SYNC_EVERY_CHUNKS == 0) {
      file.force(false);
    }
  }
}
