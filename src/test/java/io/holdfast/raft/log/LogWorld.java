package io.holdfast.raft.log;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.SnapshotMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One log under random use, and every content that a crash at this moment may leave. */
final class LogWorld {

  static final MemberId SELF = new MemberId(7);
  static final LogIdentity IDENTITY = new LogIdentity(0, 0, SELF);
  static final Formation FORMATION = new Formation(99, 8, 5, List.of(Member.voter(SELF, "here:1")));
  static final LogSettings SMALL = new LogSettings(8 << 10, 1500, 2000);

  final FaultyDisk disk;
  final SplittableRandom chance;

  /**
   * The content that was durable at the last sync, and then after each write since. The last one is
   * now.
   */
  List<LogModel> possible = new ArrayList<>(List.of(LogModel.NEW));

  WriteAheadLog log;

  LogWorld(SplittableRandom chance) {
    this.chance = chance;
    this.disk = new FaultyDisk(chance.split());
    this.log = open(disk, chance.nextLong());
  }

  static WriteAheadLog open(FaultyDisk disk, long salt) {
    return WriteAheadLog.open(disk, IDENTITY, SMALL, new SplittableRandom(salt)::nextLong, true);
  }

  LogModel now() {
    return possible.get(possible.size() - 1);
  }

  void step() {
    takeStep();
    if (disk.operations >= disk.failAtOperation) {
      disk.failAfter(chance.nextInt(20)); // the log went on without it; the next may meet the log
    }
  }

  private void takeStep() {
    switch (chance.nextInt(12)) {
      case 0, 1, 2, 3, 4 -> append();
      case 5, 6, 7 -> sync();
      case 8 -> prepare();
      case 9 -> takeSnapshot();
      case 10 -> receiveSnapshot();
      case 11 -> compact();
      default -> throw new IllegalStateException();
    }
  }

  void sync() {
    log.sync();
    possible = new ArrayList<>(List.of(now()));
  }

  void append() {
    LogModel now = now();
    long term = Math.max(1, now.hardState().term() + (chance.nextInt(4) == 0 ? 1 : 0));
    long least = now.snapshot() == null ? now.base() : Math.max(now.base(), now.snapshot().index());
    long from = now.last() + 1;
    if (chance.nextInt(4) == 0 && now.last() > least) {
      from = least + 1 + chance.nextLong(now.last() - least);
      term++;
    }
    term = Math.max(term, now.term(now.last()));
    HardState hardState =
        chance.nextInt(2) == 0 || term > now.hardState().term()
            ? new HardState(term, chance.nextBoolean() ? SELF : null, least)
            : null;
    List<Entry> entries = new ArrayList<>();
    for (int left = chance.nextInt(5); left > 0; left--) {
      entries.add(new Entry(term, from++, EntryKind.PROPOSAL, payload()));
    }
    if (hardState == null && entries.isEmpty()) {
      return;
    }
    // A write of several batches may be cut between them: hard state first, then the entries.
    for (int kept = 0; kept <= entries.size(); kept++) {
      possible.add(now.written(hardState, entries.subList(0, kept)));
    }
    log.write(ready(hardState, entries, List.of(), null));
  }

  private byte[] payload() {
    byte[] payload = new byte[chance.nextInt(10) == 0 ? chance.nextInt(4000) : chance.nextInt(200)];
    int kind = chance.nextInt(4);
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) (kind == 0 ? 0 : kind == 1 ? 0xff : chance.nextInt(256));
    }
    return payload;
  }

  private void takeSnapshot() {
    LogModel now = now();
    long least = now.snapshot() == null ? 0 : now.snapshot().index();
    if (now.last() <= Math.max(least, now.base())) {
      return;
    }
    long index = now.last() - chance.nextLong(now.last() - Math.max(least, now.base()));
    byte[] bytes = snapshotBytes();
    SnapshotFileWriter writer = null;
    try {
      writer = log.snapshots().begin();
      writer.write(bytes, 0, bytes.length);
      SnapshotMeta meta = writer.finish(meta(index, now.term(index)));
      possible.add(now.adopted(meta, bytes));
      log.adopt(writer, meta);
      possible = new ArrayList<>(List.of(now()));
    } catch (DiskFailed refused) {
      requireUnharmed();
      if (writer != null) {
        log.snapshots().abandon(writer);
      }
      possible.add(now);
    }
  }

  private void prepare() {
    try {
      log.prepare();
    } catch (DiskFailed refused) {
      requireUnharmed();
    }
  }

  /** Unless the log itself has failed: what was written ahead of need is tried again. */
  private void requireUnharmed() {
    log.hardState();
  }

  private void receiveSnapshot() {
    if (chance.nextInt(3) > 0) {
      return;
    }
    LogModel now = now();
    long least = Math.max(now.base(), now.snapshot() == null ? 0 : now.snapshot().index());
    boolean keepsLog = now.last() > least && chance.nextBoolean();
    long index = keepsLog ? now.last() : now.last() + 1 + chance.nextInt(5);
    long term = keepsLog ? now.term(index) : Math.max(1, now.term(now.last()) + chance.nextInt(2));
    byte[] bytes = snapshotBytes();
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.update(bytes, 0, bytes.length);
    SnapshotMeta meta = meta(index, term).written(bytes.length, fingerprint.value());
    for (int at = 0; at < bytes.length || at == 0; ) {
      int part = Math.min(bytes.length - at, 1 + chance.nextInt(40_000));
      byte[] piece = java.util.Arrays.copyOfRange(bytes, at, at + part);
      Ready.SnapshotWrite write = new Ready.SnapshotWrite(meta, at, Bytes.of(piece));
      at += part;
      if (at < bytes.length || bytes.length == 0) {
        log.write(ready(null, List.of(), List.of(write), null));
      } else {
        installing(meta, bytes);
        log.write(ready(null, List.of(), List.of(write), new Ready.Install(meta, keepsLog)));
      }
      if (bytes.length == 0) {
        installing(meta, bytes);
        log.write(ready(null, List.of(), List.of(), new Ready.Install(meta, keepsLog)));
        return;
      }
    }
  }

  private void installing(SnapshotMeta meta, byte[] bytes) {
    List<LogModel> more = new ArrayList<>();
    possible.forEach(each -> more.add(each.adopted(meta, bytes).opened()));
    possible.addAll(more);
  }

  private void compact() {
    LogModel now = now();
    SnapshotMeta snapshot = now.snapshot();
    if (snapshot != null) {
      long first = snapshot.index() + 1 - chance.nextInt(3);
      if (first <= now.last() + 1 && first > now.base()) {
        log.compactBefore(first);
      }
    }
  }

  private byte[] snapshotBytes() {
    byte[] bytes = new byte[chance.nextInt(5) == 0 ? 140_000 : chance.nextInt(900)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) chance.nextInt(256);
    }
    return bytes;
  }

  static SnapshotMeta meta(long index, long term) {
    return new SnapshotMeta(
        index, term, FORMATION, Configuration.of(Member.voter(SELF, "here:1")), 0, 0, 0);
  }

  static Ready ready(
      @Nullable HardState hardState,
      List<Entry> entries,
      List<Ready.SnapshotWrite> pieces,
      Ready.@Nullable Install install) {
    return new Ready(
        1, hardState, entries, pieces, install, true, List.of(), List.of(), List.of(), null,
        List.of(), List.of(), List.of(), 0, null);
  }

  /** Opens what a crash left and requires one of the possible contents. */
  void reopen() {
    log = open(disk, chance.nextLong());
    for (int i = possible.size() - 1; i >= 0; i--) {
      LogModel candidate = comparable(possible.get(i).opened());
      if (candidate.matches(log)) {
        possible = new ArrayList<>(List.of(candidate));
        return;
      }
    }
    comparable(now().opened()).verify(log);
  }

  /** The part of a content that the log must have: its compacted beginning may be gone. */
  LogModel comparable(LogModel model) {
    return model.snapshot() == null || log.firstIndex() <= model.base() + 1
        ? model
        : model.compacted(Math.min(log.firstIndex(), model.snapshot().index() + 1));
  }
}
