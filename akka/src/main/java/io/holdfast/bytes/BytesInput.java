package io.holdfast.bytes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a {@link BytesOutput} wrote, from a buffer or piece by piece from a source. Bytes that
 * end early cause an {@link IllegalArgumentException}.
 */
public final class BytesInput {

  private static final int PIECE_BYTES = 1 << 16;

  private final @Nullable ByteSource source;
  private final ByteBuffer buffer;

  public BytesInput(byte[] bytes) {
    this(ByteBuffer.wrap(bytes));
  }

  /** An input from the position of a buffer, which moves on. */
  public BytesInput(ByteBuffer buffer) {
    this.source = null;
    this.buffer = buffer;
  }

  public BytesInput(ByteSource source) {
    this.source = source;
    this.buffer = ByteBuffer.allocate(PIECE_BYTES).limit(0);
  }

  public byte getByte() {
    return need(Byte.BYTES).get();
  }

  /** A number of two bytes, from 0 to 65,535. */
  public int getShort() {
    return Short.toUnsignedInt(need(Short.BYTES).getShort());
  }

  public int getInt() {
    return need(Integer.BYTES).getInt();
  }

  public long getLong() {
    return need(Long.BYTES).getLong();
  }

  /** A number of things in four bytes, at most {@code max}. */
  public int getCount(int max) {
    int count = getInt();
    if (count < 0 || count > max) {
      throw new IllegalArgumentException("count [" + count + "] is outside [0, " + max + "]");
    }
    return count;
  }

  /** Bytes without their length. The caller bounds the length if the input is a source. */
  public byte[] get(int length) {
    if (length < 0) {
      throw new IllegalArgumentException("length [" + length + "] is below 0");
    } else if (source == null) {
      need(length);
    }
    byte[] bytes = new byte[length];
    for (int from = 0; from < length; ) {
      int some = Math.min(need(1).remaining(), length - from);
      buffer.get(bytes, from, some);
      from += some;
    }
    return bytes;
  }

  /** Bytes after their length in two bytes. */
  public byte[] getShortBytes() {
    return get(getShort());
  }

  /** A text in UTF-8, after its length in two bytes. */
  public String getText() {
    return new String(getShortBytes(), StandardCharsets.UTF_8);
  }

  /** Fails if there are more bytes in the buffer. */
  public void requireEnd() {
    if (buffer.hasRemaining()) {
      throw new IllegalArgumentException("[" + buffer.remaining() + "] bytes after the end");
    }
  }

  private ByteBuffer need(int bytes) {
    if (buffer.remaining() < bytes) {
      read(bytes);
    }
    return buffer;
  }

  private void read(int bytes) {
    int missing = bytes - buffer.remaining();
    if (source != null) {
      buffer.compact();
      int some = 1;
      while (missing > 0 && some > 0) {
        some = source.read(buffer.array(), buffer.position(), buffer.capacity());
        buffer.position(buffer.position() + Math.max(0, some));
        missing -= some;
      }
      buffer.flip();
    }
    if (missing > 0) {
      throw new IllegalArgumentException("the bytes end early: [" + missing + "] are missing");
    }
  }
}
