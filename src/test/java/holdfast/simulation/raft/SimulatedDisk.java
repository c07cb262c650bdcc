package holdfast.simulation.raft;

import holdfast.raft.core.Entry;
import holdfast.raft.core.HardState;
import holdfast.raft.core.Ready;
import holdfast.raft.core.SnapshotMeta;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A disk that keeps what was synced, and of the rest a beginning.
 *
 * <p>Writes reach it in order. A crash loses everything after some write that was not synced: the
 * write it tears is found torn and dropped.
 */
final class SimulatedDisk {

  private final Consumer<Entry> onOverwritten;
  private final Deque<Consumer<LogImage>> unsynced = new ArrayDeque<>();
  private LogImage durable;
  private LogImage memory;

  SimulatedDisk(Consumer<Entry> onOverwritten) {
    this.onOverwritten = onOverwritten;
    durable = new LogImage(onOverwritten);
    memory = new LogImage(entry -> {});
  }

  /** What the process sees. */
  LogImage memory() {
    return memory;
  }

  /** What a crash leaves for certain. */
  LogImage durable() {
    return durable;
  }

  /** Writes all of a reaction, in the order in which it must become durable. */
  void write(Ready ready) {
    List<Consumer<LogImage>> writes = new ArrayList<>();
    HardState hardState = ready.hardState();
    if (hardState != null) {
      writes.add(image -> image.write(hardState));
    }
    ready.snapshotWrites().forEach(piece -> writes.add(image -> image.write(piece)));
    Ready.Install install = ready.install();
    if (install != null) {
      writes.add(image -> image.install(install));
    }
    ready.entries().forEach(entry -> writes.add(image -> image.append(entry)));
    if (ready.compactBefore() > 0) {
      writes.add(image -> image.compactBefore(ready.compactBefore()));
    }
    writes.forEach(write -> write.accept(memory));
    unsynced.addAll(writes);
  }

  int unsynced() {
    return unsynced.size();
  }

  /** The oldest {@code count} writes have become durable. */
  void synced(int count) {
    for (int i = 0; i < count; i++) {
      unsynced.remove().accept(durable);
    }
  }

  /** A snapshot of the member's own was written beside the log, synced and renamed. */
  void snapshot(SnapshotMeta meta, byte[] bytes) {
    memory.snapshot(meta, bytes);
    unsynced.add(image -> image.snapshot(meta, bytes));
  }

  /** The process ends, or the power fails. */
  void crash(SplittableRandom chance) {
    synced(chance.nextInt(unsynced.size() + 1));
    unsynced.clear();
    durable = durable.copy(onOverwritten);
    memory = durable.copy(entry -> {});
  }
}
