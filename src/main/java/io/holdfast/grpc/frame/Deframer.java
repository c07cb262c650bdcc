package io.holdfast.grpc.frame;

import akka.util.ByteString;
import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Reason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Splits the bytes of a call into gRPC frames: a prefix and one message each. It checks the length
 * as soon as the prefix is complete, before it keeps bytes of the message. For one call.
 */
public final class Deframer {

  /** The size of the prefix: a flag and the length of the message. */
  public static final int PREFIX = 5;

  private static final int LEAST_ROOM = 512;

  private ByteString rest = ByteString.emptyByteString();
  private byte[] begun = {};
  private int filled;

  /** Adds bytes that have come. */
  void give(ByteString bytes) {
    rest = rest.isEmpty() ? bytes : rest.concat(bytes);
  }

  /**
   * Returns the next complete frame; null if more bytes are needed.
   *
   * @throws StatusRuntimeException if the frame is invalid or too large
   */
  @Nullable ByteString next() {
    if (filled == 0 && rest.size() >= PREFIX) {
      int length = length(rest.take(PREFIX).toArrayUnsafe());
      if (rest.size() >= length) { // as usual: no byte is copied
        ByteString frame = rest.take(length);
        rest = rest.drop(length);
        return frame;
      }
    }
    if (filled < PREFIX && !fill(PREFIX)) {
      return null;
    }
    return fill(length(begun)) ? begun() : null;
  }

  /** Moves bytes to the incomplete frame, up to a length; false if there are too few. */
  private boolean fill(int length) {
    int more = Math.min(length - filled, rest.size());
    if (more > 0) {
      if (begun.length < filled + more) {
        int room = Math.min(length, Math.max(LEAST_ROOM, 2 * begun.length));
        begun = Arrays.copyOf(begun, Math.max(room, filled + more));
      }
      rest.copyToBuffer(ByteBuffer.wrap(begun, filled, more));
      rest = rest.drop(more);
      filled += more;
    }
    return filled == length;
  }

  private ByteString begun() {
    ByteString frame = ByteString.fromArrayUnsafe(begun, 0, filled);
    begun = new byte[0];
    filled = 0;
    return frame;
  }

  private static int length(byte[] prefix) {
    if (prefix[0] != 0) {
      throw invalid(
          prefix[0] == 1
              ? "a message is compressed, and the call does not say how"
              : "a message has the flags [%d]".formatted(prefix[0] & 0xFF));
    }
    long length =
        (prefix[1] & 0xFFL) << 24
            | (prefix[2] & 0xFF) << 16
            | (prefix[3] & 0xFF) << 8
            | (prefix[4] & 0xFF);
    RequestReader.requireSize(length);
    return PREFIX + (int) length;
  }

  /**
   * Handles the end of the bytes.
   *
   * @throws StatusRuntimeException if a message is incomplete
   */
  void end() {
    if (!isEmpty()) {
      throw invalid("the call ends within a message");
    }
  }

  /**
   * Returns the only frame of a call that has ended.
   *
   * @throws StatusRuntimeException if it has none, or several
   */
  ByteString only() {
    ByteString frame = next();
    if (frame != null && next() != null) {
      throw invalid("a call of one message has several");
    }
    end();
    if (frame == null) {
      throw invalid("a call of one message has none");
    }
    return frame;
  }

  /** Drops all bytes. */
  void clear() {
    rest = ByteString.emptyByteString();
    begun = new byte[0];
    filled = 0;
  }

  boolean isEmpty() {
    return rest.isEmpty() && filled == 0;
  }

  /** Returns the count of bytes that it holds. */
  int held() {
    return begun.length + rest.size();
  }

  public static StatusRuntimeException invalid(String message) {
    return StatusMapping.error(Reason.REASON_FRAME_INVALID, message);
  }
}
