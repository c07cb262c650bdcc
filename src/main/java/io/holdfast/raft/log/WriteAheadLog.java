package io.holdfast.raft.log;

import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.RaftLogView;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.SnapshotMeta;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The log of one member on disk, with its hard state and beside its snapshots.
 *
 * <p>Durability: what {@link #write} was given is visible at once and durable when the next {@link
 * #sync} returns. After a crash the log holds everything that was synced, and of what was written
 * since then some of the first batches, each whole.
 *
 * <p>Failure: the first {@link LogFailure} ends the log; every later call throws the same one. Only
 * what is written ahead of need may fail and be tried again: a snapshot of this member's own, and
 * the next segment.
 *
 * <p>Thread: all calls come from one thread, and block it while the disk works, but for those that
 * say otherwise.
 */
public final class WriteAheadLog implements RaftLogView, AutoCloseable {

  private final Disk disk;
  private final LogSettings settings;
  private final FirstFailure failure;
  private final SnapshotStore snapshots;
  private final LogContent content;
  private final OldEntries oldEntries;
  private final LogTail tail;

  private WriteAheadLog(
      Disk disk,
      LogIdentity identity,
      LogSettings settings,
      LongSupplier salts,
      FirstFailure failure,
      boolean mayBeNew)
      throws IOException {
    this.disk = disk;
    this.settings = settings;
    this.failure = failure;
    content = new LogContent(settings.cachedBytes());
    snapshots = SnapshotStore.open(disk, identity, failure);
    Recovery recovery = new Recovery(disk, identity, content);
    NavigableMap<Long, Segment> segments = recovery.run(snapshots.newest());
    if (segments.isEmpty() && !mayBeNew) {
      throw new LogDamaged(SegmentHeader.name(1), 0, "the directory has no log any more");
    }
    removeUnfinished();
    oldEntries = new OldEntries(segments);
    tail = new LogTail(disk, identity, settings, salts, content, segments, recovery.nextSequence());
    goOnAfterSnapshot();
  }

  /**
   * Opens the log of a directory. All that it holds is durable on return.
   *
   * @param salts random numbers, to tell batches from payloads that imitate them
   * @param mayBeNew true if a directory without a log is a new one; otherwise it has lost its log
   * @throws LogDamaged if anything that was durable is missing, changed or someone else's
   */
  public static WriteAheadLog open(
      Disk disk, LogIdentity identity, LogSettings settings, LongSupplier salts, boolean mayBeNew) {
    FirstFailure failure = new FirstFailure();
    return failure.guard(
        "open the log in [" + disk + "]",
        () -> new WriteAheadLog(disk, identity, settings, salts, failure, mayBeNew));
  }

  /**
   * Writes what a reaction of the core carries: first the pieces of an incoming snapshot, then the
   * hard state, then the snapshot's installation, then entries; a snapshot that keeps the log is
   * put in force last. Pieces of a newer snapshot than is installed come after all. Visible on
   * return; durable after {@link #sync}, except that an installed snapshot is durable at once, with
   * all that was written before it.
   *
   * @throws IllegalArgumentException if an entry is too large for a segment; nothing is written
   */
  public void write(Ready ready) {
    ready.entries().forEach(this::requireRoomFor);
    failure.guard(
        "write to the log in [" + disk + "]",
        () -> {
          Ready.Install install = ready.install();
          List<Ready.SnapshotWrite> pieces = ready.snapshotWrites();
          int due = install == null ? pieces.size() : endOf(install.snapshot(), pieces);
          receive(pieces.subList(0, due));
          HardState hardState = ready.hardState();
          if (install != null && !install.keepsLog()) {
            tail.append(hardState, List.of());
            tail.sync(); // the snapshot must not outlive the term that it came in
            replaceBy(install.snapshot());
            hardState = null;
          }
          tail.append(hardState, ready.entries());
          if (install != null && install.keepsLog()) {
            tail.sync(); // the log must not end before its snapshot
            snapshots.install(install.snapshot());
            content.formed(install.snapshot().formation().clusterId());
          }
          receive(pieces.subList(due, pieces.size())); // of a newer one, which begins anew
          return true;
        });
  }

  /** Makes everything written durable, by one sync of one file. Does nothing if it already is. */
  public void sync() {
    failure.guard(
        "sync the log in [" + disk + "]",
        () -> {
          tail.sync();
          return true;
        });
  }

  /**
   * Begins a sync that another thread does, while this one goes on: everything written so far is
   * durable once the task has run and {@link Sync#end} was called. One at a time. Null if all is
   * durable already.
   */
  public @Nullable Sync beginSync() {
    failure.check();
    LogTail.Syncing begun = tail.beginSync();
    return begun == null ? null : new Sync(begun);
  }

  /** A sync under way. */
  public final class Sync {

    private final LogTail.Syncing begun;

    private Sync(LogTail.Syncing begun) {
      this.begun = begun;
    }

    /** Blocks, on any thread, until it is done. */
    public void run() {
      failure.guard(
          "sync the log in [" + disk + "]",
          () -> {
            begun.segment().force();
            return true;
          });
    }

    /** It is done: said on the log's thread. */
    public void end() {
      tail.synced(begun);
    }
  }

  /** True if the next segment is prepared, so that no {@link #write} will have to. */
  public boolean isPrepared() {
    return tail.isPrepared();
  }

  /**
   * Does a bounded step, of a few milliseconds, of preparing the next segment; says whether there
   * is more to do. It spares a later {@link #write} the whole work. The only method that another
   * thread may call.
   *
   * @throws DiskFailed if the disk refuses; unlike elsewhere it may be asked again
   */
  public boolean prepare() {
    failure.check();
    return new FirstFailure().guard("prepare a segment in [" + disk + "]", tail::prepare);
  }

  /**
   * Lets go of the entries before {@code first}, which the newest snapshot must cover, and deletes
   * the segments that hold nothing else. After a restart some of them may be there again.
   */
  public void compactBefore(long first) {
    SnapshotMeta snapshot = snapshots.newest();
    if (first > (snapshot == null ? 1 : snapshot.index() + 1)) {
      throw new IllegalArgumentException(
          "entries before [" + first + "] are not covered by [" + snapshot + "]");
    }
    if (first <= firstIndex() || first > lastIndex() + 1) {
      return;
    }
    failure.guard(
        "delete segments in [" + disk + "]",
        () -> {
          content.entries().compact(first);
          tail.deleteBefore(first);
          return true;
        });
  }

  /**
   * Takes in a snapshot of this member's own state, which its writer has finished. It is durable on
   * return, as is the log, and the newest unless a newer one came meanwhile.
   *
   * @param written the result of {@link SnapshotFileWriter#finish}
   * @throws DiskFailed if the disk refuses the snapshot, which is to be abandoned then; or the log,
   *     which then fails as ever
   */
  public void adopt(SnapshotFileWriter writer, SnapshotMeta written) {
    if (written.index() > lastIndex()) {
      throw new IllegalArgumentException(
          "[" + written + "] is after the last entry [" + lastIndex() + "]");
    }
    sync(); // the log must not end before its snapshot
    new FirstFailure()
        .guard(
            "keep " + written,
            () -> {
              snapshots.adopt(writer, written);
              return true;
            });
  }

  /** The hard state that was written last. */
  public HardState hardState() {
    failure.check();
    return content.hardState();
  }

  /** The cluster that the log belongs to; 0 while it holds no formation. */
  public long clusterId() {
    return content.clusterId();
  }

  /** The snapshots beside this log. They fail with it. */
  public SnapshotStore snapshots() {
    return snapshots;
  }

  @Override
  public long firstIndex() {
    failure.check();
    return content.entries().base() + 1;
  }

  @Override
  public long lastIndex() {
    failure.check();
    return content.entries().last();
  }

  @Override
  public long term(long index) {
    failure.check();
    return content.entries().term(index);
  }

  @Override
  public List<Entry> entries(long from, long to, long maxBytes) {
    return failure.guard(
        "read entries in [" + disk + "]",
        () -> {
          List<Entry> found = new ArrayList<>();
          long left = maxBytes;
          for (long at = from; at <= to; at++) {
            Entry cached = content.entries().cached(at);
            Entry entry =
                cached != null ? cached : oldEntries.read(at, content.entries().placeOf(at));
            left -= entry.sizeBytes();
            if (left < 0 && !found.isEmpty()) {
              break;
            }
            found.add(entry);
          }
          return found;
        });
  }

  @Override
  public @Nullable SnapshotMeta snapshot() {
    failure.check();
    return snapshots.newest();
  }

  /** Closes the files. What was not synced is not made durable. */
  @Override
  public void close() {
    try {
      tail.close();
      snapshots.close();
    } catch (IOException e) {
      throw failure.failed(new DiskFailed("close the log in [" + disk + "]", e));
    } finally {
      failure.failed(new DiskFailed("use the log", new IOException("it is closed")));
    }
  }

  private void receive(List<Ready.SnapshotWrite> pieces) throws IOException {
    for (Ready.SnapshotWrite piece : pieces) {
      snapshots.receive(piece);
    }
  }

  /** Behind the last piece of a snapshot. */
  private static int endOf(SnapshotMeta snapshot, List<Ready.SnapshotWrite> pieces) {
    int end = pieces.size();
    while (end > 0 && !pieces.get(end - 1).snapshot().equals(snapshot)) {
      end--;
    }
    return end;
  }

  private void requireRoomFor(Entry entry) {
    if (entry.payload().length > settings.maxPayloadBytes()) {
      throw new IllegalArgumentException(
          "entry of [%d] bytes does not fit a segment of [%d]"
              .formatted(entry.payload().length, settings.segmentBytes()));
    }
  }

  private void replaceBy(SnapshotMeta snapshot) throws IOException {
    snapshots.install(snapshot);
    content.formed(snapshot.formation().clusterId());
    tail.resetTo(snapshot.index(), snapshot.term());
  }

  /** A crash may have come between the installation of a snapshot and the log's reset to it. */
  private void goOnAfterSnapshot() throws IOException {
    SnapshotMeta snapshot = snapshots.newest();
    EntryIndex entries = content.entries();
    if (snapshot != null
        && (snapshot.index() > entries.last()
            || entries.term(snapshot.index()) != snapshot.term())) {
      tail.resetTo(snapshot.index(), snapshot.term());
      tail.append(null, List.of());
      tail.sync();
    }
  }

  private void removeUnfinished() throws IOException {
    for (String name : disk.list()) {
      if (name.endsWith(".tmp")) {
        disk.delete(name);
      }
    }
    disk.force();
    snapshots.removeOlder();
  }
}
