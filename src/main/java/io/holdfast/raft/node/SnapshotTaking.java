package io.holdfast.raft.node;

import io.holdfast.raft.ConsensusLog.SnapshotSource;
import io.holdfast.raft.ConsensusLog.StateMachine;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.SnapshotMeta;
import io.holdfast.raft.log.DiskFailed;
import io.holdfast.raft.log.SnapshotFileWriter;
import io.holdfast.raft.log.WriteAheadLog;
import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes snapshots of a member's own state: the state is frozen on the member's thread, written on
 * another, and put in force on the member's thread again.
 *
 * <p>A snapshot that the disk refuses is given up, and tried again later: the log goes on without
 * it. The log's own failures show at its next use.
 */
final class SnapshotTaking {

  private static final Logger logger = LoggerFactory.getLogger(SnapshotTaking.class);

  private static final int BUFFER_BYTES = 64 << 10;
  private static final long RETRY_MIN_MS = 10_000;
  private static final long RETRY_MAX_MS = 640_000;

  private record Written(
      SnapshotFileWriter writer, SnapshotMeta snapshot, @Nullable Throwable failure) {}

  private final long afterBytes;
  private final RaftCore core;
  private final WriteAheadLog log;
  private final StateMachine machine;
  private final Runnable wakeup;
  private final AtomicReference<@Nullable Written> written = new AtomicReference<>();
  private long appliedBytes;
  private long appliedIndex;
  private long bytesBefore;
  private boolean writing;
  private long retryAfterMs;
  private long notBeforeMs = Long.MIN_VALUE;
  private @Nullable String trouble;

  /**
   * @param wakeup makes the member's thread call {@link #adoptWritten}
   */
  SnapshotTaking(
      long afterBytes, RaftCore core, WriteAheadLog log, StateMachine machine, Runnable wakeup) {
    this.afterBytes = afterBytes;
    this.core = core;
    this.log = log;
    this.machine = machine;
    this.wakeup = wakeup;
  }

  void applied(Entry entry) {
    appliedBytes += entry.sizeBytes();
    appliedIndex = entry.index();
  }

  void restored(long index) {
    appliedBytes = 0;
    appliedIndex = index;
  }

  /** The last entry that the state machine has applied. */
  long appliedIndex() {
    return appliedIndex;
  }

  /**
   * The reason why there is no newer snapshot, for an operator; empty if the last try succeeded.
   */
  Optional<String> trouble() {
    return Optional.ofNullable(trouble);
  }

  /** Begins one if enough has been applied since the last. */
  void takeIfDue(long nowMs) {
    SnapshotMeta last = log.snapshot();
    long usual = Math.max(afterBytes, last == null ? 0 : last.size());
    if (writing || appliedBytes < dueAfter(usual, core.self().value()) || nowMs < notBeforeMs) {
      return;
    }
    SnapshotFileWriter writer;
    try {
      writer = log.snapshots().begin();
    } catch (DiskFailed e) {
      giveUp(appliedIndex, e, nowMs);
      return;
    }
    bytesBefore = appliedBytes;
    appliedBytes = 0;
    writing = true;
    SnapshotMeta meta = core.describeSnapshot(appliedIndex);
    SnapshotSource source = machine.snapshot();
    Thread thread = new Thread(() -> write(source, writer, meta), "raft-snapshot");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * The bytes after which this member's next snapshot is due: up to a quarter less than usual, by
   * its id, so that not all members write theirs at the same entry.
   */
  static long dueAfter(long usualBytes, long member) {
    long spread = (member * 0x9E3779B97F4A7C15L) >>> 54; // 0 to 1023
    return usualBytes - (long) (usualBytes * (spread / 4096.0));
  }

  private void write(SnapshotSource source, SnapshotFileWriter writer, SnapshotMeta meta) {
    try (source) {
      OutputStream out = new BufferedOutputStream(writer, BUFFER_BYTES);
      source.writeTo(out);
      out.flush();
      written.set(new Written(writer, writer.finish(meta), null));
    } catch (Throwable e) { // also an error: else no snapshot would ever be taken again
      written.set(new Written(writer, meta, e));
    }
    wakeup.run();
  }

  /** Puts a snapshot in force that has been written meanwhile. */
  void adoptWritten(long nowMs) {
    Written done = written.get();
    if (done == null) {
      return;
    }
    written.set(null);
    writing = false;
    if (done.failure instanceof DiskFailed refused) {
      abandon(done, refused, nowMs);
    } else if (done.failure != null) {
      throw new IllegalStateException(
          "the state could not be written: " + done.failure, done.failure);
    } else {
      adopt(done, nowMs);
    }
  }

  private void adopt(Written done, long nowMs) {
    try {
      log.adopt(done.writer, done.snapshot);
    } catch (DiskFailed e) {
      abandon(done, e, nowMs);
      return;
    }
    core.snapshotTaken();
    retryAfterMs = 0;
    trouble = null;
  }

  private void abandon(Written done, DiskFailed failure, long nowMs) {
    log.snapshots().abandon(done.writer);
    appliedBytes += bytesBefore;
    giveUp(done.snapshot.index(), failure, nowMs);
  }

  private void giveUp(long index, DiskFailed failure, long nowMs) {
    retryAfterMs = Math.min(RETRY_MAX_MS, Math.max(RETRY_MIN_MS, 2 * retryAfterMs));
    notBeforeMs = nowMs + retryAfterMs;
    trouble = "no snapshot could be written at entry [%d]: %s".formatted(index, failure.reason());
    logger.warn(
        "{}; the log grows until one can be; the next try is in {} s",
        trouble,
        retryAfterMs / 1000,
        failure);
  }
}
