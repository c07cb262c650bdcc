package io.holdfast.raft.log;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.SnapshotMeta;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of a member: the newest one, and those being written or received.
 *
 * <p>Durability: a snapshot is durable before it becomes the newest, and the one before is deleted
 * after that. What was only written or received in part is gone after a restart.
 *
 * <p>Thread: that of the log; only the {@link SnapshotFileWriter} may be used from another.
 */
public final class SnapshotStore {

  private static final String INCOMING = "incoming.tmp";

  private final Disk disk;
  private final LogIdentity identity;
  private final FirstFailure failure;
  private final List<String> older = new ArrayList<>();
  private final List<String> unwanted = new ArrayList<>();
  private @Nullable SnapshotFile newest;
  private @Nullable SnapshotFileWriter incoming;
  private @Nullable SnapshotMeta incomingMeta;
  private long begun;

  private SnapshotStore(Disk disk, LogIdentity identity, FirstFailure failure) {
    this.disk = disk;
    this.identity = identity;
    this.failure = failure;
  }

  /** Finds the newest snapshot that is whole; changes nothing on the disk. */
  static SnapshotStore open(Disk disk, LogIdentity identity, FirstFailure failure)
      throws IOException {
    SnapshotStore store = new SnapshotStore(disk, identity, failure);
    List<String> names = new ArrayList<>(disk.list());
    names.removeIf(name -> !name.endsWith(SnapshotFileFormat.SUFFIX));
    names.sort(Comparator.reverseOrder());
    @Nullable LogDamaged damaged = null;
    for (String name : names) {
      if (store.newest != null) {
        store.older.add(name);
        continue;
      }
      try {
        store.newest = SnapshotFile.open(disk, name, identity);
      } catch (LogDamaged e) {
        damaged = damaged == null ? e : damaged;
      }
    }
    if (store.newest == null && damaged != null) {
      throw damaged;
    }
    return store;
  }

  /** The newest snapshot, which is durable. */
  public @Nullable SnapshotMeta newest() {
    return newest == null ? null : newest.meta();
  }

  /**
   * Begins to write a snapshot of this member's own state, for {@link WriteAheadLog#adopt}.
   *
   * @throws DiskFailed if the disk refuses, here or in the writer; the log does not fail with it
   */
  public SnapshotFileWriter begin() {
    failure.check();
    String name = "own-" + ++begun + ".tmp";
    FirstFailure own = new FirstFailure();
    return own.guard(
        "create the snapshot [" + name + "]",
        () -> {
          removeUnwanted();
          return writer(name, own);
        });
  }

  /** Takes in a finished snapshot, unless a newer one came meanwhile. It is durable on return. */
  void adopt(SnapshotFileWriter writer, SnapshotMeta written) throws IOException {
    SnapshotMeta known = newest();
    if (known != null && known.index() >= written.index()) {
      abandon(writer);
    } else {
      publish(writer, written);
    }
  }

  /** Gives up a snapshot of this member's own that was begun. What is there of it is deleted. */
  public void abandon(SnapshotFileWriter writer) {
    writer.discard();
    unwanted.add(writer.name());
    tryToRemoveUnwanted();
  }

  private void tryToRemoveUnwanted() {
    try {
      removeUnwanted();
    } catch (IOException e) {
      // The next one that is begun tries again, and so does the next start.
    }
  }

  private void removeUnwanted() throws IOException {
    if (unwanted.isEmpty()) {
      return;
    }
    List<String> there = disk.list();
    for (String name : unwanted) {
      if (there.contains(name)) {
        disk.delete(name);
      }
    }
    disk.force(); // or a restart may find it whole, after what came later
    unwanted.clear();
  }

  /**
   * Up to {@code length} bytes of the newest snapshot from an offset on.
   *
   * @throws IllegalArgumentException if this is not the newest snapshot
   */
  public Bytes read(SnapshotMeta snapshot, long offset, int length) {
    SnapshotFile file = held(snapshot);
    return failure.guard("read " + snapshot, () -> file.read(offset, length));
  }

  /** All bytes of the newest snapshot. */
  public InputStream stream(SnapshotMeta snapshot) {
    return held(snapshot).stream(failure);
  }

  /** The bytes of this snapshot that have been received: its transfer can go on there. */
  public long received(SnapshotMeta snapshot) {
    return incoming != null && snapshot.equals(incomingMeta) ? incoming.size() : 0;
  }

  /** Writes a piece of an incoming snapshot. Offset 0 begins anew. */
  void receive(Ready.SnapshotWrite piece) throws IOException {
    if (piece.offset() == 0) {
      if (incoming != null) {
        incoming.close();
      }
      incoming = writer(INCOMING, failure);
      incomingMeta = piece.snapshot();
    }
    SnapshotFileWriter into = incoming;
    if (into == null || piece.offset() != received(piece.snapshot())) {
      throw new IllegalStateException(
          "a piece at [%d] of [%s] does not follow".formatted(piece.offset(), piece.snapshot()));
    }
    into.write(piece.bytes().array(), 0, piece.bytes().size());
  }

  /** Makes the incoming snapshot the newest; it is durable on return. */
  void install(SnapshotMeta snapshot) throws IOException {
    SnapshotFileWriter complete = incoming;
    if (complete == null || received(snapshot) != snapshot.size()) {
      throw new IllegalStateException("[" + snapshot + "] has not been received");
    }
    incoming = null;
    incomingMeta = null;
    if (!complete.finish(snapshot).equals(snapshot)) {
      throw new LogDamaged(
          INCOMING, 0, "the bytes that were received are not those that " + snapshot + " names");
    }
    publish(complete, snapshot);
  }

  /** Deletes what the newest snapshot has replaced. */
  void removeOlder() throws IOException {
    if (older.isEmpty()) {
      return;
    }
    for (String name : List.copyOf(older)) {
      disk.delete(name);
      older.remove(name);
    }
    disk.force();
  }

  void close() throws IOException {
    if (newest != null) {
      newest.close();
    }
  }

  private SnapshotFileWriter writer(String name, FirstFailure fails) throws IOException {
    DiskFile file = disk.create(name);
    try {
      return new SnapshotFileWriter(name, file, identity, fails);
    } catch (IOException e) {
      file.close();
      unwanted.add(name);
      tryToRemoveUnwanted();
      throw e;
    }
  }

  private void publish(SnapshotFileWriter writer, SnapshotMeta snapshot) throws IOException {
    if (!writer.isFinished()) {
      throw new IllegalStateException("[" + writer.name() + "] is not finished");
    }
    writer.close();
    String name = SnapshotFileFormat.name(snapshot);
    disk.rename(writer.name(), name);
    SnapshotFile published;
    try {
      disk.force();
      published = SnapshotFile.openWritten(disk, name, identity);
    } catch (IOException e) {
      unwanted.add(name);
      throw e;
    }
    SnapshotFile replaced = newest;
    newest = published;
    if (replaced != null) {
      replaced.close();
      older.add(replaced.name());
    }
    older.remove(name);
    unwanted.remove(name);
    try {
      removeOlder();
    } catch (IOException e) {
      // The newest is in force; the next one, or the next start, tries again.
    }
  }

  private SnapshotFile held(SnapshotMeta snapshot) {
    SnapshotFile file = newest;
    if (file == null || !file.meta().equals(snapshot)) {
      throw new IllegalArgumentException("[" + snapshot + "] is not held, only [" + newest() + "]");
    }
    return file;
  }
}
