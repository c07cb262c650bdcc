package io.holdfast.grpc.guard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Why a connection is ended.
 *
 * @param reason for the other side and for the log; the bound is named in it, nothing of the frame
 * @param lastStream the last stream that may have been served, as the other side is told
 */
record Violation(Kind kind, String reason, int lastStream) {

  /** How the other side is told. */
  enum Kind {
    /** No fault: nothing has come for long. */
    IDLE(0),
    PROTOCOL_ERROR(1),
    FRAME_SIZE_ERROR(6),
    ENHANCE_YOUR_CALM(11),
    /** It does not speak HTTP/2, and is told so in HTTP/1.1. */
    NOT_HTTP2(-1),
    /** It is not told, or was told by the server. */
    SILENT(-1);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  private static final byte[] NOTHING = {};

  /** One that leaves open what was served. */
  Violation(Kind kind, String reason) {
    this(kind, reason, Integer.MAX_VALUE);
  }

  static Violation calm(String reason) {
    return new Violation(Kind.ENHANCE_YOUR_CALM, reason);
  }

  static Violation silent(String reason) {
    return new Violation(Kind.SILENT, reason);
  }

  /** What is sent before the connection is closed. */
  byte[] answer() {
    byte[] text = reason.getBytes(StandardCharsets.US_ASCII);
    return switch (kind) {
      case NOT_HTTP2 -> refusal();
      case SILENT -> NOTHING;
      default -> goAway(text);
    };
  }

  private byte[] refusal() {
    return """
    HTTP/1.1 505 HTTP Version Not Supported\r
    Content-Type: text/plain\r
    Content-Length: %d\r
    Connection: close\r
    \r
    %s
    """
        .formatted(reason.length() + 1, reason)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private byte[] goAway(byte[] text) {
    return ByteBuffer.allocate(9 + 8 + text.length)
        .putInt((8 + text.length) << 8 | FrameType.GOAWAY)
        .put((byte) 0)
        .putInt(0)
        .putInt(lastStream)
        .putInt(kind.code)
        .put(text)
        .array();
  }
}
