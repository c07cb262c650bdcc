package io.holdfast.raft.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that have arrived on one connection and are not yet used.
 *
 * <p>A frame that has not arrived whole waits here; the room for it grows only with the bytes that
 * really come.
 */
final class FrameInput {

  /** However much has come: others wait for the thread. */
  static final int MAX_READ_BYTES = 64 << 10;

  private final CRC32C crc = new CRC32C();
  private int usualCapacity;
  private int maxBody;
  private ByteBuffer buffer;
  private ByteBuffer view;
  private int taken;
  private boolean full;

  FrameInput(int usualCapacity, int maxBody) {
    this.usualCapacity = usualCapacity;
    this.maxBody = maxBody;
    this.buffer = ByteBuffer.allocateDirect(usualCapacity);
    this.view = buffer.duplicate();
  }

  /** Expects larger frames from now on. */
  void widen(int newUsualCapacity, int newMaxBody) {
    usualCapacity = newUsualCapacity;
    maxBody = newMaxBody;
  }

  /** The room that it has beyond the usual, for a large frame. */
  int large() {
    return Math.max(0, buffer.capacity() - usualCapacity);
  }

  /** The room that it takes, beyond the usual, with the next read. */
  int growth() {
    boolean full = taken == 0 && !buffer.hasRemaining() && buffer.capacity() >= usualCapacity;
    return full ? larger() - buffer.capacity() : 0;
  }

  /**
   * Reads once.
   *
   * @return the number of bytes that came, or -1 at the end of the stream
   */
  int readFrom(Wire wire) throws IOException {
    makeRoom();
    buffer.limit(buffer.position() + Math.min(buffer.remaining(), MAX_READ_BYTES));
    int count = wire.read(buffer);
    full = !buffer.hasRemaining();
    buffer.limit(buffer.capacity());
    return count;
  }

  /** Says that the last read used all room that it had, so that more may be waiting. */
  boolean isFull() {
    return full;
  }

  /** The body of the next whole frame, valid until the next call; null if there is none. */
  @Nullable ByteBuffer next() throws MalformedFrame {
    int available = buffer.position() - taken;
    if (available < FrameFormat.HEADER_BYTES) {
      return null;
    }
    int length = buffer.getInt(taken);
    if (length < 1 || length > maxBody) {
      throw new MalformedFrame("frame of [" + length + "] bytes is outside [1, " + maxBody + "]");
    }
    if (available - FrameFormat.HEADER_BYTES < length) {
      return null;
    }
    int body = taken + FrameFormat.HEADER_BYTES;
    crc.reset();
    crc.update(view.limit(body + length).position(body));
    if (buffer.getInt(taken + 4) != (int) crc.getValue()) {
      throw new MalformedFrame("the checksum of a frame of [" + length + "] bytes does not match");
    }
    taken = body + length;
    return view.position(body);
  }

  /** Gives back the room that a large frame took, if nothing waits. */
  void shrink() {
    if (taken == buffer.position() && buffer.capacity() > usualCapacity) {
      replace(ByteBuffer.allocateDirect(usualCapacity));
      taken = 0;
    }
  }

  private void makeRoom() {
    if (taken > 0) {
      buffer.limit(buffer.position()).position(taken);
      buffer.compact();
      taken = 0;
    }
    if (buffer.capacity() < usualCapacity) {
      grow(usualCapacity);
    } else if (!buffer.hasRemaining()) {
      grow(larger());
    }
  }

  private int larger() {
    return (int) Math.min(2L * buffer.capacity(), (long) FrameFormat.HEADER_BYTES + maxBody);
  }

  private void grow(int capacity) {
    replace(ByteBuffer.allocateDirect(capacity).put(buffer.flip()));
  }

  private void replace(ByteBuffer other) {
    buffer = other;
    view = other.duplicate();
  }
}
