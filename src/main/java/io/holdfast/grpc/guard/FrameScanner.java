package io.holdfast.grpc.guard;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where a stream of bytes stands between HTTP/2 frames: it reads their heads, and skips the rest,
 * except for the payload of the one type that it was asked to read.
 */
final class FrameScanner {

  /** What is said of each frame when its head is complete, before its payload is there. */
  @FunctionalInterface
  interface Judge {
    @Nullable Violation judge(int length, int type, int flags, int stream, long nanos);
  }

  /** What is said of each octet of a payload that is read. */
  @FunctionalInterface
  interface PayloadJudge {
    @Nullable Violation judge(int position, int octet);
  }

  private static final int HEAD = 9;

  private final Judge judge;
  private final int readType;
  private final PayloadJudge payload;
  private int read;
  private long first; // length, type and flags
  private int stream;
  private int payloadLeft;
  private int payloadRead;
  private boolean reading;

  FrameScanner(Judge judge) {
    this(judge, /* readType= */ -1, (position, octet) -> null);
  }

  FrameScanner(Judge judge, int readType, PayloadJudge payload) {
    this.judge = judge;
    this.readType = readType;
    this.payload = payload;
  }

  /** Whether the bytes so far are whole frames. */
  boolean isBetweenFrames() {
    return read == 0 && payloadLeft == 0;
  }

  /** Reads all that remains in the buffer, or up to the first frame that violates a bound. */
  @Nullable Violation scan(ByteBuffer bytes, long nanos) {
    while (bytes.hasRemaining()) {
      Violation violation = null;
      if (payloadLeft == 0) {
        violation = head(bytes.get() & 0xFF, nanos);
      } else if (reading) {
        payloadLeft--;
        violation = payload.judge(payloadRead++, bytes.get() & 0xFF);
      } else {
        int skipped = Math.min(payloadLeft, bytes.remaining());
        bytes.position(bytes.position() + skipped);
        payloadLeft -= skipped;
      }
      if (violation != null) {
        return violation;
      }
    }
    return null;
  }

  private @Nullable Violation head(int octet, long nanos) {
    if (read < 5) {
      first = first << 8 | octet;
    } else {
      stream = stream << 8 | octet;
    }
    read++;
    if (read < HEAD) {
      return null;
    }
    int type = (int) (first >>> 8) & 0xFF;
    payloadLeft = (int) (first >>> 16);
    payloadRead = 0;
    reading = type == readType;
    Violation violation =
        judge.judge(payloadLeft, type, (int) first & 0xFF, stream & 0x7FFF_FFFF, nanos);
    read = 0;
    first = 0;
    stream = 0;
    return violation;
  }
}
