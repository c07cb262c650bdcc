package io.holdfast.raft.log;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The first failure of a log, which every later use throws again.
 *
 * <p>After a failed sync the operating system may have dropped the pages and will report success
 * the next time, so no operation is ever tried again.
 */
final class FirstFailure {

  private final AtomicReference<LogFailure> first = new AtomicReference<>();

  /** Something that may fail on the disk. */
  interface Step<T> {
    T take() throws IOException;
  }

  <T> T guard(String operation, Step<T> step) {
    check();
    try {
      return step.take();
    } catch (IOException e) {
      throw failed(new DiskFailed(operation, e));
    } catch (LogFailure e) {
      throw failed(e);
    }
  }

  void check() {
    LogFailure failure = first.get();
    if (failure != null) {
      throw failure;
    }
  }

  LogFailure failed(LogFailure failure) {
    LogFailure before = first.compareAndExchange(null, failure);
    return before == null ? failure : before;
  }
}
