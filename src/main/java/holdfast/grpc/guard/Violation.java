package holdfast.grpc.guard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Why a connection is ended.
 *
 * @param reason for the other side and for the log; the bound is named in it, nothing of the frame
 */
record Violation(Kind kind, String reason) {

  /** How the other side is told. */
  enum Kind {
    PROTOCOL_ERROR(1),
    FRAME_SIZE_ERROR(6),
    ENHANCE_YOUR_CALM(11),
    /** It does not speak HTTP/2, and is told so in HTTP/1.1. */
    NOT_HTTP2(-1);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  private static final int GOAWAY = 7;

  static Violation calm(String reason) {
    return new Violation(Kind.ENHANCE_YOUR_CALM, reason);
  }

  /** What is sent before the connection is closed. */
  byte[] answer() {
    byte[] text = reason.getBytes(StandardCharsets.US_ASCII);
    return kind == Kind.NOT_HTTP2 ? refusal() : goAway(text);
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

  /** It names no last stream: what was begun may or may not have been done. */
  private byte[] goAway(byte[] text) {
    return ByteBuffer.allocate(9 + 8 + text.length)
        .putInt((8 + text.length) << 8 | GOAWAY)
        .put((byte) 0)
        .putInt(0)
        .putInt(Integer.MAX_VALUE)
        .putInt(kind.code)
        .put(text)
        .array();
  }
}
