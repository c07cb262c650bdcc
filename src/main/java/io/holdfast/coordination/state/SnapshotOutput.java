package io.holdfast.coordination.state;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes being written: numbers big-endian, text as a length of two bytes and ASCII. */
final class SnapshotOutput {

  private ByteBuffer buffer = ByteBuffer.allocate(4_096);

  SnapshotOutput putByte(byte value) {
    room(Byte.BYTES).put(value);
    return this;
  }

  SnapshotOutput putInt(int value) {
    room(Integer.BYTES).putInt(value);
    return this;
  }

  SnapshotOutput putLong(long value) {
    room(Long.BYTES).putLong(value);
    return this;
  }

  SnapshotOutput putText(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    room(Short.BYTES + bytes.length).putShort((short) bytes.length).put(bytes);
    return this;
  }

  byte[] toBytes() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      int capacity = Math.max(2 * buffer.capacity(), buffer.position() + bytes);
      buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
    }
    return buffer;
  }
}
