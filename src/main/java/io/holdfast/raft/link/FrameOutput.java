package io.holdfast.raft.link;

import io.holdfast.raft.core.Message;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The bytes that wait to be written to one connection.
 *
 * <p>Messages are encoded straight into them. Those that come between two writes share a frame.
 */
final class FrameOutput {

  private static final int NONE = -1;

  private final CRC32C crc = new CRC32C();
  private final int usualCapacity;
  private ByteBuffer buffer;
  private int head;
  private int batch = NONE;

  FrameOutput(int usualCapacity) {
    this.usualCapacity = usualCapacity;
    this.buffer = ByteBuffer.allocateDirect(usualCapacity);
  }

  /** The number of bytes that wait. */
  int pending() {
    return buffer.position() - head;
  }

  /** Adds a message, unless more than {@code maxPending} bytes would wait then. */
  boolean offer(Message message, int maxPending) {
    long size = MessageEncoder.size(message);
    if (size >= FrameFormat.MAX_MESSAGE_BYTES
        || pending() + FrameFormat.HEADER_BYTES + 1 + size > maxPending) {
      return false;
    }
    if (batch != NONE && batchBytes() + size > FrameFormat.MAX_BATCH_BYTES) {
      seal();
    }
    reserve(FrameFormat.HEADER_BYTES + 1 + (int) size);
    if (batch == NONE) {
      batch = buffer.position();
      buffer.putLong(0).put(FrameFormat.BATCH);
    }
    MessageEncoder.put(buffer, message);
    if (batchBytes() > FrameFormat.MAX_BATCH_BYTES) {
      seal();
    }
    return true;
  }

  /** Adds a frame of another kind than a batch; {@code body} begins with its kind. */
  void frame(byte... body) {
    seal();
    reserve(FrameFormat.HEADER_BYTES + body.length);
    int start = buffer.position();
    buffer.putLong(0).put(body);
    finish(start);
  }

  /** Gives the wire what it takes. Returns whether nothing is left. */
  boolean writeTo(Wire wire) throws IOException {
    seal();
    int end = buffer.position();
    buffer.limit(end).position(head);
    try {
      wire.write(buffer);
    } finally {
      head = buffer.position();
      buffer.limit(buffer.capacity()).position(end);
    }
    if (head == end) {
      buffer.clear();
      head = 0;
    }
    return pending() == 0;
  }

  /** Gives back the room that a burst took, if nothing waits. */
  void shrink() {
    if (pending() == 0 && buffer.capacity() > usualCapacity) {
      buffer = ByteBuffer.allocateDirect(usualCapacity);
      head = 0;
    }
  }

  private int batchBytes() {
    return buffer.position() - batch - FrameFormat.HEADER_BYTES;
  }

  private void seal() {
    if (batch != NONE) {
      finish(batch);
      batch = NONE;
    }
  }

  private void finish(int start) {
    int end = buffer.position();
    int body = start + FrameFormat.HEADER_BYTES;
    crc.reset();
    crc.update(buffer.limit(end).position(body));
    buffer.limit(buffer.capacity());
    buffer.putInt(start, end - body).putInt(start + 4, (int) crc.getValue());
  }

  private void reserve(int bytes) {
    if (buffer.remaining() >= bytes) {
      return;
    }
    int needed = pending() + bytes;
    ByteBuffer source = buffer;
    source.limit(source.position()).position(head);
    if (needed <= source.capacity() / 2) {
      source.compact();
    } else {
      buffer = ByteBuffer.allocateDirect(Math.max(needed, 2 * source.capacity())).put(source);
    }
    if (batch != NONE) {
      batch -= head;
    }
    head = 0;
  }
}
