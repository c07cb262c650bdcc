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
 * Takes the bytes of a call apart into gRPC's frames, each of one message behind its prefix. A
 * length is judged when the prefix is there, before anything of the message is. For one call.
 */
public final class Deframer {

  /** A flag, and the length of the message. */
  public static final int PREFIX = 5;

  private static final int LEAST_ROOM = 512;

  private ByteString rest = ByteString.emptyByteString();
  private byte[] begun = {};
  private int filled;

  /** More bytes have come. */
  void give(ByteString bytes) {
    rest = rest.isEmpty() ? bytes : rest.concat(bytes);
  }

  /**
   * The next frame that is whole; null if more bytes are needed.
   *
   * @throws StatusRuntimeException if it must not be read
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

  /** Moves bytes to the frame that has begun, up to a length; false if there are not so many. */
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
   * No more bytes come.
   *
   * @throws StatusRuntimeException if a message has begun and is not whole
   */
  void end() {
    if (!isEmpty()) {
      throw invalid("the call ends within a message");
    }
  }

  /**
   * The one frame of a call that has ended.
   *
   * @throws StatusRuntimeException if it has none, or more
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

  /** Lets go of all that has come. */
  void clear() {
    rest = ByteString.emptyByteString();
    begun = new byte[0];
    filled = 0;
  }

  boolean isEmpty() {
    return rest.isEmpty() && filled == 0;
  }

  /** How many bytes it holds. */
  int held() {
    return begun.length + rest.size();
  }

  public static StatusRuntimeException invalid(String message) {
    return StatusMapping.error(Reason.REASON_FRAME_INVALID, message);
  }
}
