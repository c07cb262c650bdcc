package io.holdfast.grpc.guard;

import io.holdfast.config.GuardSettings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the frames of one connection may cost: sees the bytes of both ways, and says when a bound is
 * passed. A function of the bytes and the times it is given; used by one thread at a time.
 *
 * <p>After a violation it is of no more use: the bytes of that call must not be passed on.
 */
final class FrameWatch {

  /** What HTTP/2 allows a frame unless the receiver offers more, which this server does not. */
  static final int MAX_FRAME = 16_384;

  /** A header block: a HEADERS frame and the CONTINUATION frames behind it. */
  static final int MAX_HEADER_BLOCK = 32_768;

  static final int MAX_HEADER_FRAMES = 16;

  /** Entries of a SETTINGS frame; HTTP/2 knows eight. */
  static final int MAX_SETTINGS = 16;

  /** What a gRPC message has at least: DATA below it is a piece of one. */
  static final int LEAST_MESSAGE = 5;

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int PADDED = 8;
  private static final int SETTING = 6; // octets

  private final FrameScanner received = new FrameScanner(this::judgeReceived);
  private final FrameScanner sent =
      new FrameScanner(this::judgeSent, FrameType.GOAWAY, this::judgeGoAway);
  private final Rate settings;
  private final Rate pings;
  private final Rate resets;
  private final Rate answeredResets;
  private final Rate windowUpdates;
  private final Rate idleFrames;
  private int greeting;
  private boolean inBlock;
  private int blockBytes;
  private int blockFrames;
  private boolean fullDataBefore;
  private int lastStream;
  private long lastFrame;
  private int goAwayCode;

  FrameWatch(GuardSettings bounds, long nanos) {
    settings = new Rate(bounds.settings(), nanos);
    pings = new Rate(bounds.pings(), nanos);
    resets = resets(bounds, nanos);
    answeredResets = resets(bounds, nanos);
    windowUpdates = new Rate(bounds.windowUpdates(), nanos);
    idleFrames = new Rate(bounds.idleFrames(), nanos);
    lastFrame = nanos;
  }

  /**
   * All calls that may be open may be cancelled at once, as by a client that ends; but a connection
   * has to stand for that, or each new one would bring as many: it begins with a second's worth.
   */
  private static Rate resets(GuardSettings bounds, long nanos) {
    int burst = Math.max(bounds.resets(), bounds.maxCalls());
    return new Rate(bounds.resets(), burst, bounds.resets(), nanos);
  }

  /** Whether the other side has said that it speaks HTTP/2. */
  boolean isGreeted() {
    return greeting == PREFACE.length;
  }

  /** Whether the client may end here: it has greeted, and its last frame is complete. */
  boolean mayEnd() {
    return isGreeted() && received.isBetweenFrames();
  }

  /** For how long the client has not begun a frame. */
  long quietNanos(long nanos) {
    return nanos - lastFrame;
  }

  /** Why a connection is ended on which nothing has come for so long. */
  Violation idle(Duration within) {
    return new Violation(
        Violation.Kind.IDLE, "nothing came for [" + within.toMillis() + "ms]", lastStream);
  }

  /** Looks at bytes from the client, at a time of the monotonic clock. */
  @Nullable Violation received(ByteBuffer bytes, long nanos) {
    while (!isGreeted() && bytes.hasRemaining()) {
      if (bytes.get() != PREFACE[greeting]) {
        return noHttp2();
      }
      greeting++;
    }
    return received.scan(bytes, nanos);
  }

  /** Looks at bytes from the server, at a time of the monotonic clock. */
  @Nullable Violation sent(ByteBuffer bytes, long nanos) {
    return sent.scan(bytes, nanos);
  }

  static Violation noHttp2() {
    return new Violation(
        Violation.Kind.NOT_HTTP2, "This port speaks gRPC over HTTP/2 with prior knowledge only.");
  }

  private @Nullable Violation judgeReceived(
      int length, int type, int flags, int stream, long nanos) {
    lastFrame = nanos;
    boolean remainder = fullDataBefore;
    fullDataBefore = type == FrameType.DATA && length == MAX_FRAME;
    if (length > MAX_FRAME) {
      return new Violation(
          Violation.Kind.FRAME_SIZE_ERROR, "a frame is larger than [" + MAX_FRAME + "] bytes");
    } else if (inBlock != (type == FrameType.CONTINUATION)) {
      return new Violation(
          Violation.Kind.PROTOCOL_ERROR,
          inBlock ? "a header block is interrupted" : "a CONTINUATION continues nothing");
    }
    return switch (type) {
      case FrameType.HEADERS, FrameType.CONTINUATION -> block(length, flags, stream);
      case FrameType.DATA ->
          isIdle(length, flags) && !remainder ? count(idleFrames, "idle frames", nanos) : null;
      case FrameType.WINDOW_UPDATE -> count(windowUpdates, "WINDOW_UPDATE frames", nanos);
      case FrameType.RST_STREAM -> count(resets, "RST_STREAM frames", nanos);
      case FrameType.PING -> count(pings, "PING frames", nanos);
      case FrameType.SETTINGS ->
          length > MAX_SETTINGS * SETTING
              ? Violation.calm("a SETTINGS frame has more than [" + MAX_SETTINGS + "] entries")
              : count(settings, "SETTINGS frames", nanos);
      default -> count(idleFrames, "idle frames", nanos);
    };
  }

  /**
   * DATA that carries less than a message, within a stream: each costs the server as much as a
   * message. Padding is for secrets of browsers, and would make a frame look as if it carried more.
   */
  private static boolean isIdle(int length, int flags) {
    return (length < LEAST_MESSAGE || (flags & PADDED) != 0) && (flags & END_STREAM) == 0;
  }

  /** Work is caused by resets whoever sends them: a client can make the server reset streams. */
  private @Nullable Violation judgeSent(int length, int type, int flags, int stream, long nanos) {
    return type == FrameType.RST_STREAM
        ? count(answeredResets, "streams the server had to reset", nanos)
        : null;
  }

  /** The server has given the connection up, whether it closes it or not. */
  private @Nullable Violation judgeGoAway(int position, int octet) {
    if (position < 4 || position > 7) {
      return null;
    }
    goAwayCode = position == 4 ? octet : goAwayCode << 8 | octet;
    return position == 7 && goAwayCode != 0
        ? Violation.silent("the server gave it up with HTTP/2 error [" + goAwayCode + "]")
        : null;
  }

  private @Nullable Violation block(int length, int flags, int stream) {
    lastStream = Math.max(lastStream, stream);
    if (!inBlock) {
      blockBytes = 0;
      blockFrames = 0;
    }
    inBlock = (flags & END_HEADERS) == 0;
    blockBytes += length;
    blockFrames++;
    if (blockBytes > MAX_HEADER_BLOCK) {
      return Violation.calm("a header block is larger than [" + MAX_HEADER_BLOCK + "] bytes");
    } else if (blockFrames > MAX_HEADER_FRAMES) {
      return Violation.calm("a header block has more than [" + MAX_HEADER_FRAMES + "] frames");
    }
    return null;
  }

  private static @Nullable Violation count(Rate rate, String what, long nanos) {
    return rate.isExceeded(nanos)
        ? Violation.calm("more than [%d] %s a second".formatted(rate.perSecond(), what))
        : null;
  }
}
