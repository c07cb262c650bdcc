package io.holdfast.raft.node;

import io.holdfast.raft.log.LogFailure;
import io.holdfast.raft.log.WriteAheadLog;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The syncs of a member's log. With a quick disk they are done on the member's own thread, which is
 * the shortest way. With a slow one they are done on another, so that the member still receives and
 * sends messages during a sync.
 *
 * <p>All calls come from the member's thread.
 */
final class Syncing {

  private static final Logger logger = LoggerFactory.getLogger(Syncing.class);

  /** The number of syncs that are done on the other thread after a slow one. */
  private static final int SYNCS_AFTER_SLOW = 100;

  private static final long TELL_EVERY_NS = TimeUnit.MINUTES.toNanos(1);

  private record Task(WriteAheadLog.Sync sync, Runnable synced, long beganNs) {}

  private final WriteAheadLog log;
  private final Runnable wakeup;
  private final LongSupplier nowNs;
  private final long slowNs;
  private final int toleratedMs;
  private final Thread thread = new Thread(this::work, "raft-sync");
  private int syncsElsewhere;
  private long usualNs;
  private long toldNs;
  private volatile @Nullable Task given;

  /** The last one that the other thread has done; only that thread says so, and of which. */
  private volatile @Nullable Task done;

  private volatile @Nullable Throwable failure;
  private volatile boolean stopped;

  /**
   * Those of a log.
   *
   * @param wakeup makes the member's thread call {@link #adopt}
   * @param slowMs a sync that takes longer is a slow one
   * @param toleratedMs operators are told if syncs usually take longer
   */
  Syncing(WriteAheadLog log, Runnable wakeup, LongSupplier nowNs, int slowMs, int toleratedMs) {
    this.log = log;
    this.wakeup = wakeup;
    this.nowNs = nowNs;
    this.slowNs = TimeUnit.MILLISECONDS.toNanos(slowMs);
    this.toleratedMs = toleratedMs;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Syncs the log, and then runs {@code synced}: at once, or in {@link #adopt}. */
  void sync(Runnable synced) {
    long beganNs = nowNs.getAsLong();
    WriteAheadLog.Sync sync = syncsElsewhere > 0 ? log.beginSync() : null;
    if (sync == null) {
      log.sync();
      measured(nowNs.getAsLong() - beganNs);
      synced.run();
      return;
    }
    syncsElsewhere--;
    given = new Task(sync, synced, beganNs);
    LockSupport.unpark(thread);
  }

  /** Continues with what waited for a sync on the other thread. */
  void adopt() {
    Task task = given;
    if (task == null || !task.equals(done)) {
      return;
    }
    given = null;
    Throwable failed = failure;
    if (failed instanceof LogFailure known) {
      throw known;
    } else if (failed != null) {
      throw new IllegalStateException("the log could not be synced: " + failed, failed);
    }
    task.sync.end();
    measured(nowNs.getAsLong() - task.beganNs);
    task.synced.run();
  }

  /** Ends the thread; a sync under way is waited for, since its file is about to be closed. */
  void stop() {
    stopped = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** A warning for operators that syncs take too long for elections or sessions. */
  Optional<String> trouble() {
    long usualMs = TimeUnit.NANOSECONDS.toMillis(usualNs);
    return usualMs > toleratedMs
        ? Optional.of(
            "a sync of the disk takes [%d ms], more than the [%d ms] that the election timeout and the session's ttl and renewal tolerate"
                .formatted(usualMs, toleratedMs))
        : Optional.empty();
  }

  private void measured(long tookNs) {
    if (tookNs > slowNs) {
      syncsElsewhere = SYNCS_AFTER_SLOW;
    }
    usualNs = (3 * usualNs + tookNs) / 4;
    Optional<String> trouble = trouble();
    if (trouble.isPresent() && (toldNs == 0 || nowNs.getAsLong() - toldNs > TELL_EVERY_NS)) {
      toldNs = nowNs.getAsLong();
      logger.warn("{}", trouble.get());
    }
  }

  private void work() {
    while (!stopped) {
      Task task = given;
      if (task == null || task.equals(done)) {
        LockSupport.park(this);
        continue;
      }
      try {
        task.sync.run();
      } catch (RuntimeException | Error e) { // the member's thread ends by it
        failure = e;
      }
      done = task;
      wakeup.run();
    }
  }
}
