package io.holdfast.raft.link;

/**
 * The answer to a {@link Hello} that is not admitted.
 *
 * @param code one of the numbers below, or one of a later version
 * @param text the value that was sent, and the expected one
 */
record Refused(byte code, String text) {

  static final byte VERSION = 1;
  static final byte GROUP = 2;
  static final byte CLUSTER = 3;
  static final byte MEMBER = 4;
  static final byte INCARNATION = 5;
  static final byte BUSY = 6;

  /** The longest text, in characters. */
  static final int MAX_TEXT = 512;

  Refused {
    text = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text;
  }
}
