package io.holdfast.raft.log;

import java.io.IOException;

/**
 * The disk refused an operation. If it was one of the log, what was appended since the last {@link
 * WriteAheadLog#sync} may or may not be durable, and asking again would not tell.
 */
public final class DiskFailed extends LogFailure {

  private static final long serialVersionUID = 1L;

  DiskFailed(String operation, IOException cause) {
    super("could not " + operation + ": " + cause, cause);
  }

  /** The message of the disk's own error. */
  public String reason() {
    Throwable cause = getCause();
    String message = cause == null ? null : cause.getMessage();
    return message == null ? String.valueOf(cause) : message;
  }
}
