package io.holdfast.raft.node;

import io.holdfast.raft.log.DiskFailed;
import io.holdfast.raft.log.WriteAheadLog;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares the log's next segment on a thread of its own: to fill it with zeros takes as long as
 * many commits, and under load the member's thread is never idle.
 */
final class SegmentPreparing {

  private static final Logger logger = LoggerFactory.getLogger(SegmentPreparing.class);

  private static final long RETRY_S = 10;

  private final WriteAheadLog log;
  private final Thread thread;
  private volatile boolean stopped;
  private volatile @Nullable String trouble;

  SegmentPreparing(WriteAheadLog log, String name) {
    this.log = log;
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Wakes the thread if there is something to do. */
  void prepareIfNeeded() {
    if (!log.isPrepared()) {
      LockSupport.unpark(thread);
    }
  }

  void stop() {
    stopped = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!stopped) {
      try {
        if (log.isPrepared() || !log.prepare()) {
          trouble = null;
          LockSupport.park(this);
        }
      } catch (DiskFailed e) {
        wait(e);
      }
    }
  }

  /* The log can go on in the rest of its segment. If the log itself has failed, the member's thread
  meets that failure. */
  private void wait(DiskFailed failure) {
    if (trouble == null) {
      logger.warn("{}; it is tried again every {} s", failure.getMessage(), RETRY_S);
    }
    trouble = "no room is prepared for the log to go on: " + failure.reason();
    long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(RETRY_S);
    for (long leftNs = untilNs - System.nanoTime();
        leftNs > 0 && !stopped;
        leftNs = untilNs - System.nanoTime()) {
      LockSupport.parkNanos(this, leftNs);
    }
  }

  /** The reason why the next segment is not prepared, for an operator. */
  Optional<String> trouble() {
    return Optional.ofNullable(trouble);
  }
}
