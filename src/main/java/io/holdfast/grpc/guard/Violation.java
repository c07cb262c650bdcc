package io.holdfast.grpc.guard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The reason for which a connection is closed by the guard.
 *
 * @param reason the text for the client and the log; it names the limit, and has no content of the
 *     frame
 * @param lastStream the last stream that may have been served, as sent to the client
 */
record Violation(Kind kind, String reason, int lastStream) {

  /** The way in which the client is notified. */
  enum Kind {
    /** No fault: the connection was idle. */
    IDLE(0),
    PROTOCOL_ERROR(1),
    FRAME_SIZE_ERROR(6),
    ENHANCE_YOUR_CALM(11),
    /** The client does not speak HTTP/2, and gets an answer in HTTP/1.1. */
    NOT_HTTP2(-1),
    /** The client is not notified, or was notified by the server. */
    SILENT(-1);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  private static final byte[] NOTHING = {};

  /** Creates a violation with an unknown last stream. */
  Violation(Kind kind, String reason) {
    this(kind, reason, Integer.MAX_VALUE);
  }

  static Violation calm(String reason) {
    return new Violation(Kind.ENHANCE_YOUR_CALM, reason);
  }

  static Violation silent(String reason) {
    return new Violation(Kind.SILENT, reason);
  }

  /** Returns the bytes to send before the connection is closed. */
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
