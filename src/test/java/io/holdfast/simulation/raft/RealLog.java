package io.holdfast.simulation.raft;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.RaftLogView;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.SnapshotMeta;
import io.holdfast.raft.log.DiskFailed;
import io.holdfast.raft.log.FaultyDisk;
import io.holdfast.raft.log.LogIdentity;
import io.holdfast.raft.log.LogSettings;
import io.holdfast.raft.log.SnapshotFileWriter;
import io.holdfast.raft.log.WriteAheadLog;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log that members really have, on a disk that fails.
 *
 * <p>Beside it runs the model, which says what the log must have kept: after a crash all that was
 * synced, and of the rest a beginning. The segments are tiny, so that the log moves on, truncates,
 * compacts and reads back all the time.
 */
final class RealLog implements MemberDisk {

  private final MemberId id;
  private final SplittableRandom chance;
  private final LogSettings settings;
  private final FaultyDisk files;
  private final SimulatedDisk model;
  private @Nullable WriteAheadLog log;
  private boolean healed;

  RealLog(MemberId id, SplittableRandom chance, Consumer<Entry> onOverwritten) {
    this.id = id;
    this.chance = chance;
    settings =
        new LogSettings(
            (8 + chance.nextInt(3) * chance.nextInt(12)) * FaultyDisk.SECTOR,
            100 + chance.nextInt(1_000),
            chance.nextInt(600));
    files = new FaultyDisk(chance.split());
    model = new SimulatedDisk(onOverwritten);
  }

  @Override
  public void open() {
    WriteAheadLog opened =
        WriteAheadLog.open(
            files,
            new LogIdentity(0, 0, id),
            settings,
            chance::nextLong,
            !model.durable().isFormed());
    LogImage found = LogImage.of(opened);
    model.survived(RecoveryKeepsLog.survivors(id, model, found));
    model.recover(found);
    log = opened;
  }

  private WriteAheadLog opened() {
    return Objects.requireNonNull(log, "the process does not run");
  }

  @Override
  public RaftLogView log() {
    return opened();
  }

  @Override
  public LogImage memory() {
    return model.memory();
  }

  @Override
  public LogImage durable() {
    return model.durable();
  }

  @Override
  public void write(Ready ready) {
    if (ready.install() != null) {
      perhapsFails();
    }
    model.write(ready);
    opened().write(ready);
  }

  @Override
  public void compactBefore(long first) {
    perhapsFails();
    model.compactBefore(first);
    opened().compactBefore(first);
  }

  @Override
  public long writes() {
    return model.writes();
  }

  @Override
  public int unsynced() {
    return model.unsynced();
  }

  @Override
  public void synced(long writes) {
    opened().sync();
    model.synced(writes);
    if (chance.nextInt(8) == 0) {
      prepare();
    }
  }

  @Override
  public @Nullable SnapshotMeta snapshot(SnapshotMeta meta, byte[] bytes) {
    perhapsFails();
    SnapshotFileWriter writer = null;
    SnapshotMeta written = meta;
    try {
      try {
        writer = opened().snapshots().begin();
        writer.write(bytes, 0, bytes.length);
        written = writer.finish(meta);
        opened().adopt(writer, written);
      } catch (DiskFailed refused) {
        giveUp(writer);
        return null;
      }
    } catch (FaultyDisk.PowerCut cut) {
      model.writeSnapshot(written, bytes);
      throw cut;
    }
    model.snapshot(written, bytes);
    return written;
  }

  private void prepare() {
    try {
      opened().prepare();
    } catch (DiskFailed refused) {
      opened().hardState(); // tried again later, unless the log itself has failed
    }
  }

  private void giveUp(@Nullable SnapshotFileWriter writer) {
    if (writer != null) {
      opened().snapshots().abandon(writer);
    }
    opened().hardState(); // unless the log itself has failed
  }

  @Override
  public Bytes piece(SnapshotMeta of, long offset, int length) {
    return opened().snapshots().read(of, offset, length);
  }

  @Override
  public byte[] snapshotBytes() {
    SnapshotMeta newest = Objects.requireNonNull(opened().snapshot());
    return piece(newest, 0, (int) newest.size()).array();
  }

  /** The machine may go on without the process, which then loses nothing. */
  @Override
  public void crash(SplittableRandom ignored) {
    log = null;
    if (chance.nextInt(4) == 0) {
      files.restart();
    } else {
      files.powerCycle();
    }
  }

  /** Most can go wrong where several files are touched. */
  private void perhapsFails() {
    if (!healed && chance.nextInt(8) == 0) {
      failsSoon(chance);
    }
  }

  @Override
  public boolean failsSoon(SplittableRandom ignored) {
    int operations = chance.nextInt(12);
    if (chance.nextInt(4) == 0) {
      files.failAfter(operations);
    } else {
      files.cutAfter(operations);
    }
    return true;
  }

  @Override
  public void heal() {
    healed = true;
    if (log != null) {
      files.restart();
    }
  }
}
