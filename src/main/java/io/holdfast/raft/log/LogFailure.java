package io.holdfast.raft.log;

/**
 * A failure after which a log cannot be used. There is nothing to retry: the process should end.
 */
public abstract sealed class LogFailure extends RuntimeException permits LogDamaged, DiskFailed {

  private static final long serialVersionUID = 1L;

  LogFailure(String message, Throwable cause) {
    super(message, cause);
  }

  LogFailure(String message) {
    super(message);
  }
}
