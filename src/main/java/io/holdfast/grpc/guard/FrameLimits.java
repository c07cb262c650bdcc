package io.holdfast.grpc.guard;

import io.holdfast.config.GuardSettings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits on the HTTP/2 frames of one connection: inspects the bytes of both directions, and
 * reports the first violation. A function of the bytes and the given times; for one thread at a
 * time.
 *
 * <p>After a violation it must not be used any more, and the bytes with the violation must not be
 * passed on.
 */
final class FrameLimits {

  /** The maximum size of a frame: the default of HTTP/2, which this server does not raise. */
  static final int MAX_FRAME = 16_384;

  /** The maximum size of a header block: a HEADERS frame and its CONTINUATION frames. */
  static final int MAX_HEADER_BLOCK = 32_768;

  static final int MAX_HEADER_FRAMES = 16;

  /** The maximum of entries in a SETTINGS frame; HTTP/2 defines eight. */
  static final int MAX_SETTINGS = 16;

  /** The minimum size of a gRPC message: smaller DATA is a fragment. */
  static final int LEAST_MESSAGE = 5;

  static final int END_HEADERS = 4; // a flag

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final int END_STREAM = 1;
  private static final int PADDED = 8;
  private static final int SETTING = 6; // octets

  private final FrameScanner received = new FrameScanner(this::judgeReceived);
  private final FrameScanner sent =
      new FrameScanner(this::judgeSent, FrameType.GOAWAY, this::judgeGoAway);
  private final RateLimit settings;
  private final RateLimit pings;
  private final RateLimit resets;
  private final RateLimit answeredResets;
  private final RateLimit windowUpdates;
  private final RateLimit idleFrames;
  private int greeting;
  private boolean inBlock;
  private int blockBytes;
  private int blockFrames;
  private boolean fullDataBefore;
  private int lastStream;
  private long lastFrame;
  private int goAwayCode;
  private long calls;

  FrameLimits(GuardSettings bounds, long nanos) {
    settings = new RateLimit(bounds.settings(), nanos);
    pings = new RateLimit(bounds.pings(), nanos);
    resets = resets(bounds, nanos);
    answeredResets = resets(bounds, nanos);
    windowUpdates = new RateLimit(bounds.windowUpdates(), nanos);
    idleFrames = new RateLimit(bounds.idleFrames(), nanos);
    lastFrame = nanos;
  }

  /**
   * Returns the rate of resets. Its burst allows a client that shuts down to cancel all its calls
   * at once. A new connection starts with the resets of one second, so that reconnecting does not
   * give more.
   */
  private static RateLimit resets(GuardSettings bounds, long nanos) {
    int burst = Math.max(bounds.resets(), bounds.maxCalls());
    return new RateLimit(bounds.resets(), burst, bounds.resets(), nanos);
  }

  /** True if the client has sent the whole preface of HTTP/2. */
  boolean isGreeted() {
    return greeting == PREFACE.length;
  }

  /**
   * True if the client may end the connection here: the preface and the last frame are complete.
   */
  boolean mayEnd() {
    return isGreeted() && received.isBetweenFrames();
  }

  /** Returns the bytes that the client has sent of the head of its last frame, if not all. */
  int ofHead() {
    return received.headRead();
  }

  /**
   * Returns the count of bytes before the client's next frame, if the head of the last is whole.
   */
  int untilFrame() {
    return PREFACE.length - greeting + received.payloadLeft();
  }

  /** Returns the number of header blocks so far: the calls that began, and their trailers. */
  long calls() {
    return calls;
  }

  /** Returns the time since the client's last frame started. */
  long quietNanos(long nanos) {
    return nanos - lastFrame;
  }

  /** Returns the violation of an idle connection. */
  Violation idle(Duration within) {
    return new Violation(
        Violation.Kind.IDLE, "nothing came for [" + within.toMillis() + "ms]", lastStream);
  }

  /** Inspects bytes from the client. */
  @Nullable Violation received(ByteBuffer bytes, long nanos) {
    while (!isGreeted() && bytes.hasRemaining()) {
      if (bytes.get() != PREFACE[greeting]) {
        return noHttp2();
      }
      greeting++;
    }
    return received.scan(bytes, nanos);
  }

  /** Inspects bytes from the server. */
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
   * True for DATA within a stream that carries less than a message: it costs the server as much as
   * a message. Padded frames count as idle, since padding would hide how little they carry.
   */
  private static boolean isIdle(int length, int flags) {
    return (length < LEAST_MESSAGE || (flags & PADDED) != 0) && (flags & END_STREAM) == 0;
  }

  /** Limits the resets of the server too: a client can provoke them. */
  private @Nullable Violation judgeSent(int length, int type, int flags, int stream, long nanos) {
    return type == FrameType.RST_STREAM
        ? count(answeredResets, "streams the server had to reset", nanos)
        : null;
  }

  /**
   * Detects a GOAWAY with an error: the server has given the connection up, even if it does not
   * close it.
   */
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
      calls++;
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

  private static @Nullable Violation count(RateLimit rate, String what, long nanos) {
    return rate.isExceeded(nanos)
        ? Violation.calm("more than [%d] %s a second".formatted(rate.perSecond(), what))
        : null;
  }
}
