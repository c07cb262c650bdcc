package holdfast.raft.node;

import holdfast.raft.ConsensusLog.SnapshotSource;
import holdfast.raft.ConsensusLog.StateMachine;
import holdfast.raft.core.Entry;
import holdfast.raft.core.RaftCore;
import holdfast.raft.core.SnapshotMeta;
import holdfast.raft.log.SnapshotWriter;
import holdfast.raft.log.WriteAheadLog;
import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * When a member takes a snapshot of its own state, and how: the state is held fast on the member's
 * thread, written on another, and put in force on the member's thread again.
 */
final class SnapshotTaking {

  private static final int BUFFER_BYTES = 64 << 10;

  private record Written(
      SnapshotWriter writer, SnapshotMeta snapshot, @Nullable Throwable failure) {}

  private final long afterBytes;
  private final RaftCore core;
  private final WriteAheadLog log;
  private final StateMachine machine;
  private final Runnable wakeup;
  private final AtomicReference<@Nullable Written> written = new AtomicReference<>();
  private long appliedBytes;
  private long appliedIndex;
  private boolean writing;

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

  /** Begins one if enough has been applied since the last. */
  void takeIfDue() {
    if (writing || appliedBytes < afterBytes) {
      return;
    }
    SnapshotMeta last = log.snapshot();
    if (last != null && appliedBytes < last.size()) {
      return;
    }
    appliedBytes = 0;
    writing = true;
    SnapshotMeta meta = core.describeSnapshot(appliedIndex);
    SnapshotSource source = machine.snapshot();
    SnapshotWriter writer = log.snapshots().begin();
    Thread thread = new Thread(() -> write(source, writer, meta), "raft-snapshot");
    thread.setDaemon(true);
    thread.start();
  }

  private void write(SnapshotSource source, SnapshotWriter writer, SnapshotMeta meta) {
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
  void adoptWritten() {
    Written done = written.get();
    if (done == null) {
      return;
    }
    written.set(null);
    writing = false;
    if (done.failure != null) {
      throw new IllegalStateException(
          "the state could not be written: " + done.failure, done.failure);
    }
    log.adopt(done.writer, done.snapshot);
    core.snapshotTaken();
  }
}
