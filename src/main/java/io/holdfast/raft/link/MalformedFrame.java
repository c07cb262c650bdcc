package io.holdfast.raft.link;

import java.io.IOException;

/** The end of a connection whose other end does not keep to the format. */
final class MalformedFrame extends IOException {

  private static final long serialVersionUID = 1;

  MalformedFrame(String message) {
    super(message);
  }

  MalformedFrame(IllegalArgumentException cause) {
    super(cause.getMessage(), cause);
  }
}
