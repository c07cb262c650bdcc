package io.holdfast.simulation.raft;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.SnapshotMeta;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A disk that keeps what was synced, and of the rest a beginning.
 *
 * <p>Writes reach it in order. A crash loses everything after some write that was not synced: the
 * write it tears is found torn and dropped.
 */
final class SimulatedDisk implements MemberDisk {

  private final Consumer<Entry> onOverwritten;
  private final Deque<Consumer<LogImage>> unsynced = new ArrayDeque<>();
  private long written;
  private LogImage durable;
  private LogImage memory;

  SimulatedDisk(Consumer<Entry> onOverwritten) {
    this.onOverwritten = onOverwritten;
    durable = new LogImage(onOverwritten);
    memory = new LogImage(entry -> {});
  }

  @Override
  public void open() {}

  @Override
  public LogImage log() {
    return memory;
  }

  @Override
  public LogImage memory() {
    return memory;
  }

  @Override
  public LogImage durable() {
    return durable;
  }

  @Override
  public void write(Ready ready) {
    List<Consumer<LogImage>> writes = new ArrayList<>();
    HardState hardState = ready.hardState();
    if (hardState != null) {
      writes.add(image -> image.write(hardState));
    }
    Ready.Install install = ready.install();
    List<Ready.SnapshotWrite> pieces = ready.snapshotWrites();
    int due = pieces.size();
    while (install != null && due > 0 && !isOf(pieces.get(due - 1), install)) {
      due--; // of a newer one, which begins when this one is complete
    }
    pieces.subList(0, due).forEach(piece -> writes.add(image -> image.write(piece)));
    if (install != null && !install.keepsLog()) {
      writes.add(image -> image.install(install));
    }
    ready.entries().forEach(entry -> writes.add(image -> image.append(entry)));
    if (install != null && install.keepsLog()) {
      writes.add(image -> image.install(install));
    }
    pieces.subList(due, pieces.size()).forEach(piece -> writes.add(image -> image.write(piece)));
    writes.forEach(this::write);
  }

  private void write(Consumer<LogImage> write) {
    write.accept(memory);
    unsynced.add(write);
    written++;
  }

  @Override
  public void compactBefore(long first) {
    write(image -> image.compactBefore(first));
  }

  @Override
  public long writes() {
    return written;
  }

  @Override
  public int unsynced() {
    return unsynced.size();
  }

  @Override
  public void synced(long writes) {
    while (written - unsynced.size() < writes) {
      unsynced.remove().accept(durable);
    }
  }

  /** Of what was not synced this much reached the disk. */
  void survived(int count) {
    synced(written - unsynced.size() + count);
  }

  @Override
  public SnapshotMeta snapshot(SnapshotMeta meta, byte[] bytes) {
    SnapshotMeta kept = meta.written(bytes.length, meta.fingerprint());
    writeSnapshot(kept, bytes);
    synced(written);
    return kept;
  }

  /** The same, not durable yet. */
  void writeSnapshot(SnapshotMeta kept, byte[] bytes) {
    write(image -> image.snapshot(kept, bytes));
  }

  @Override
  public Bytes piece(SnapshotMeta of, long offset, int length) {
    return memory.piece(of, offset, length);
  }

  @Override
  public byte[] snapshotBytes() {
    return memory.snapshotBytes();
  }

  @Override
  public void crash(SplittableRandom chance) {
    survived(chance.nextInt(unsynced.size() + 1));
    recover(durable);
  }

  /** Goes on with what was found; nothing else is left. */
  void recover(LogImage found) {
    unsynced.clear();
    durable = found.copy(onOverwritten);
    memory = found.copy(entry -> {});
  }

  /**
   * The number of unsynced writes that a recovered log has; -1 if it does not have a beginning of
   * them after all that was synced.
   */
  int survivors(Predicate<LogImage> isRecovered) {
    LogImage image = durable.copyWithIncoming();
    int survivors = isRecovered.test(image) ? 0 : -1;
    int applied = 0;
    for (Consumer<LogImage> write : unsynced) {
      write.accept(image);
      applied++;
      survivors = isRecovered.test(image) ? applied : survivors;
    }
    return survivors;
  }

  private static boolean isOf(Ready.SnapshotWrite piece, Ready.Install install) {
    return piece.snapshot().equals(install.snapshot());
  }
}
