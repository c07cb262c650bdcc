package io.holdfast.bytes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes numbers, texts and bytes, to an array or piece by piece to a sink. Big-endian. */
public final class BytesOutput {

  private static final int FIRST_CAPACITY = 256;
  private static final int PIECE_BYTES = 1 << 16;
  private static final int MAX_SHORT = 0xffff;

  private final @Nullable ByteSink sink;
  private ByteBuffer buffer;

  /** An output to an array, for {@link #toBytes}. */
  public BytesOutput() {
    sink = null;
    buffer = ByteBuffer.allocate(FIRST_CAPACITY);
  }

  /** An output to a sink. The last piece is only written by {@link #flush}. */
  public BytesOutput(ByteSink sink) {
    this.sink = sink;
    buffer = ByteBuffer.allocate(PIECE_BYTES);
  }

  public BytesOutput putByte(int value) {
    room(Byte.BYTES).put((byte) value);
    return this;
  }

  /** A number of two bytes, from 0 to 65,535. */
  public BytesOutput putShort(int value) {
    if (value < 0 || value > MAX_SHORT) {
      throw new IllegalArgumentException("[" + value + "] is outside [0, " + MAX_SHORT + "]");
    }
    room(Short.BYTES).putShort((short) value);
    return this;
  }

  public BytesOutput putInt(int value) {
    room(Integer.BYTES).putInt(value);
    return this;
  }

  public BytesOutput putLong(long value) {
    room(Long.BYTES).putLong(value);
    return this;
  }

  /** Bytes without their length. */
  public BytesOutput put(byte[] bytes) {
    if (sink != null && bytes.length > buffer.capacity()) {
      flush();
      sink.write(bytes, 0, bytes.length);
    } else {
      room(bytes.length).put(bytes);
    }
    return this;
  }

  /** At most 65,535 bytes, after their length in two bytes. */
  public BytesOutput putShortBytes(byte[] bytes) {
    return putShort(bytes.length).put(bytes);
  }

  /** A text in UTF-8, after its length in two bytes. */
  public BytesOutput putText(String text) {
    return putShortBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The bytes that were written; of an output to a sink, those that are not yet flushed. */
  public byte[] toBytes() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  /** Writes the rest to the sink. */
  public void flush() {
    if (sink != null) {
      sink.write(buffer.array(), 0, buffer.position());
      buffer.clear();
    }
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      flush();
    }
    if (buffer.remaining() < bytes) {
      int capacity = Math.max(2 * buffer.capacity(), buffer.position() + bytes);
      buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
    }
    return buffer;
  }
}
