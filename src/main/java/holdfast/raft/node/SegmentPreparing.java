package holdfast.raft.node;

import holdfast.raft.log.LogFailure;
import holdfast.raft.log.WriteAheadLog;
import java.util.concurrent.locks.LockSupport;

/**
 * Prepares the log's next segment on a thread of its own: to fill it with zeros takes as long as
 * many commits, and under load the member's thread is never idle.
 */
final class SegmentPreparing {

  private final WriteAheadLog log;
  private final Thread thread;
  private volatile boolean stopped;

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
    try {
      while (!stopped) {
        if (log.isPrepared() || !log.prepare()) {
          LockSupport.park(this);
        }
      }
    } catch (LogFailure e) {
      // The log has failed for good, and the member's thread meets the same failure.
    }
  }
}
