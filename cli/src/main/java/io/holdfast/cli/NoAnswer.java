package io.holdfast.cli;

import java.io.Serial;

/** Nobody answered in time, and nothing can have changed. */
final class NoAnswer extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  NoAnswer(String message) {
    super(message);
  }
}
