package io.holdfast.raft.link;

/**
 * The layout of frames: length of the body, CRC32C of the body, 4 bytes each, and the body. The
 * first byte of a body says of which kind the frame is.
 *
 * <p>The bounds are part of the format: both ends keep them.
 */
final class FrameFormat {

  /** Rises with every change that an older build cannot read. */
  static final short VERSION = 1;

  static final int HEADER_BYTES = 8;

  static final byte HELLO = 1;
  static final byte WELCOME = 2;
  static final byte REFUSED = 3;
  static final byte QUESTION = 4;
  static final byte ANSWER = 5;
  static final byte PING = 6;
  static final byte PONG = 7;
  static final byte BATCH = 8;

  /** The largest body of a frame with several messages. */
  static final int MAX_BATCH_BYTES = 8 << 20;

  /** The largest body of all: of a frame with one message. */
  static final int MAX_MESSAGE_BYTES = 64 << 20;

  /** The largest body before a connection is admitted, and of pings and pongs. */
  static final int MAX_GREETING_BYTES = 4 << 10;

  /** The largest incarnation: a start each second for 68 years. */
  static final long MAX_INCARNATION = Integer.MAX_VALUE;

  /** The largest question and the largest answer. */
  static final int MAX_QUESTION_BYTES = 64 << 10;

  private FrameFormat() {}
}
