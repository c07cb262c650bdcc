package io.holdfast.raft.log;

/** Why a log cannot be used, or no longer. There is nothing to retry: the process should end. */
public abstract sealed class LogFailure extends RuntimeException permits LogDamaged, DiskFailed {

  private static final long serialVersionUID = 1L;

  LogFailure(String message, Throwable cause) {
    super(message, cause);
  }

  LogFailure(String message) {
    super(message);
  }
}
