package io.holdfast.grpc.guard;

/** The types of HTTP/2 frames (RFC 9113, section 6) that the guard distinguishes. */
final class FrameType {

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  private FrameType() {}
}
