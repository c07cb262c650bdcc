package io.holdfast.grpc.guard;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Splits a stream of bytes into HTTP/2 frames. It reads the heads of frames and skips their
 * payloads, except those of one type.
 */
final class FrameScanner {

  /** A rule for each frame, applied when its head is complete. */
  @FunctionalInterface
  interface HeadRule {
    @Nullable Violation judge(int length, int type, int flags, int stream, long nanos);
  }

  /** A rule for each octet of the payloads that are read. */
  @FunctionalInterface
  interface PayloadRule {
    @Nullable Violation judge(int position, int octet);
  }

  /** The size of the head of a frame. */
  static final int HEAD = 9;

  private final HeadRule judge;
  private final int readType;
  private final PayloadRule payload;
  private int read;
  private long first; // length, type and flags
  private int stream;
  private int payloadLeft;
  private int payloadRead;
  private boolean reading;

  FrameScanner(HeadRule judge) {
    this(judge, /* readType= */ -1, (position, octet) -> null);
  }

  FrameScanner(HeadRule judge, int readType, PayloadRule payload) {
    this.judge = judge;
    this.readType = readType;
    this.payload = payload;
  }

  /** True if the last frame is complete. */
  boolean isBetweenFrames() {
    return read == 0 && payloadLeft == 0;
  }

  /** Returns the bytes of an incomplete head that have come. */
  int headRead() {
    return read;
  }

  /** Returns the bytes of the payload that are missing; 0 if the head is incomplete. */
  int payloadLeft() {
    return payloadLeft;
  }

  /** Reads the rest of the buffer, or up to the first violation, which it returns. */
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
