package io.holdfast.coordination.state;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Bytes being read, as {@link SnapshotOutput} wrote them; anything else is refused. */
final class SnapshotInput {

  private final ByteBuffer buffer;

  SnapshotInput(byte[] bytes) {
    buffer = ByteBuffer.wrap(bytes);
  }

  byte getByte() {
    return need(Byte.BYTES).get();
  }

  int getInt() {
    return need(Integer.BYTES).getInt();
  }

  long getLong() {
    return need(Long.BYTES).getLong();
  }

  /** A number of things, at most {@code max}. */
  int getCount(int max) {
    int count = getInt();
    if (count < 0 || count > max) {
      throw new IllegalArgumentException("count [" + count + "] is outside [0, " + max + "]");
    }
    return count;
  }

  String getText() {
    byte[] bytes = new byte[Short.toUnsignedInt(need(Short.BYTES).getShort())];
    need(bytes.length).get(bytes);
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  void requireEnd() {
    if (buffer.hasRemaining()) {
      throw new IllegalArgumentException("[" + buffer.remaining() + "] bytes after the end");
    }
  }

  private ByteBuffer need(int bytes) {
    if (buffer.remaining() < bytes) {
      throw new IllegalArgumentException("snapshot ends at [" + buffer.limit() + "]");
    }
    return buffer;
  }
}
