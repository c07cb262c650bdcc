package io.holdfast.simulation.raft;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.RaftLogView;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.SnapshotMeta;
import io.holdfast.raft.log.WriteAheadLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The contents of one member's directory: as its process sees them, or as its disk has them. */
final class LogImage implements RaftLogView {

  private final Consumer<Entry> onOverwritten;
  private HardState hardState = HardState.NEW;
  private long base;
  private long baseTerm;
  private List<Entry> entries = new ArrayList<>();
  private @Nullable SnapshotMeta snapshot;
  private byte[] snapshotBytes = {};
  private @Nullable SnapshotMeta incoming;
  private byte[] incomingBytes = {};

  LogImage(Consumer<Entry> onOverwritten) {
    this.onOverwritten = onOverwritten;
  }

  /** The content of an opened log. */
  static LogImage of(WriteAheadLog log) {
    LogImage image = new LogImage(entry -> {});
    image.hardState = log.hardState();
    image.base = log.firstIndex() - 1;
    image.baseTerm = log.term(image.base);
    if (log.lastIndex() > image.base) {
      image.entries = log.entries(log.firstIndex(), log.lastIndex(), Long.MAX_VALUE);
    }
    SnapshotMeta newest = log.snapshot();
    if (newest != null) {
      image.snapshot = newest;
      image.snapshotBytes = log.snapshots().read(newest, 0, (int) newest.size()).array();
    }
    return image;
  }

  LogImage copy(Consumer<Entry> copyOnOverwritten) {
    LogImage copy = new LogImage(copyOnOverwritten);
    copy.hardState = hardState;
    copy.base = base;
    copy.baseTerm = baseTerm;
    copy.entries = new ArrayList<>(entries);
    copy.snapshot = snapshot;
    copy.snapshotBytes = snapshotBytes;
    return copy;
  }

  LogImage copyWithIncoming() {
    LogImage copy = copy(entry -> {});
    copy.incoming = incoming;
    copy.incomingBytes = incomingBytes;
    return copy;
  }

  /** True if the other holds the same, except that either may be compacted further. */
  boolean agreesWith(LogImage other) {
    long from = Math.max(base, other.base);
    return hardState.equals(other.hardState)
        && lastIndex() == other.lastIndex()
        && from <= lastIndex()
        && term(from) == other.term(from)
        && after(from).equals(other.after(from))
        && Objects.equals(snapshot, other.snapshot)
        && Arrays.equals(snapshotBytes, other.snapshotBytes);
  }

  /** The content, in short. */
  String brief() {
    return "[%d/%d..%d, %s, %s]".formatted(baseTerm, base, lastIndex(), hardState, snapshot);
  }

  private List<Entry> after(long index) {
    return entries.subList((int) (index - base), entries.size());
  }

  void write(HardState written) {
    hardState = written;
  }

  void append(Entry entry) {
    if (entry.index() <= base || entry.index() > lastIndex() + 1) {
      throw new IllegalStateException(entry + " after " + base + ".." + lastIndex());
    }
    int keep = (int) (entry.index() - base - 1);
    for (int i = keep; i < entries.size(); i++) {
      onOverwritten.accept(entries.get(i));
    }
    entries.subList(keep, entries.size()).clear();
    entries.add(entry);
  }

  void write(Ready.SnapshotWrite piece) {
    if (piece.offset() == 0) {
      incoming = piece.snapshot();
      incomingBytes = new byte[0];
    }
    if (!piece.snapshot().equals(incoming) || piece.offset() != incomingBytes.length) {
      throw new IllegalStateException("piece at " + piece.offset() + " of " + piece.snapshot());
    }
    byte[] more = Arrays.copyOf(incomingBytes, incomingBytes.length + piece.bytes().size());
    System.arraycopy(piece.bytes().array(), 0, more, incomingBytes.length, piece.bytes().size());
    incomingBytes = more;
  }

  void install(Ready.Install install) {
    SnapshotMeta complete = install.snapshot();
    if (!complete.equals(incoming) || incomingBytes.length != complete.size()) {
      throw new IllegalStateException(complete + " is not complete");
    }
    snapshot = complete;
    snapshotBytes = incomingBytes;
    incoming = null;
    incomingBytes = new byte[0];
    if (!install.keepsLog()) {
      entries.forEach(onOverwritten);
      entries = new ArrayList<>();
      base = complete.index();
      baseTerm = complete.term();
    }
  }

  /** A snapshot of this member's own was written. */
  void snapshot(SnapshotMeta written, byte[] bytes) {
    if (snapshot == null || snapshot.index() < written.index()) {
      snapshot = written;
      snapshotBytes = bytes;
    }
  }

  void compactBefore(long first) {
    if (first > base + 1 && first <= lastIndex() + 1) {
      long newBase = first - 1;
      long newBaseTerm = term(newBase);
      entries = new ArrayList<>(entries.subList((int) (newBase - base), entries.size()));
      base = newBase;
      baseTerm = newBaseTerm;
    }
  }

  Bytes piece(SnapshotMeta of, long offset, int length) {
    if (!of.equals(snapshot)) {
      throw new IllegalStateException(of + " is not held");
    }
    return Bytes.of(Arrays.copyOfRange(snapshotBytes, (int) offset, (int) offset + length));
  }

  HardState hardState() {
    return hardState;
  }

  byte[] snapshotBytes() {
    return snapshotBytes;
  }

  /** True if the entry, or a snapshot of what it led to, is here. */
  boolean has(long index, long term) {
    if (snapshot != null && snapshot.index() >= index) {
      return true;
    }
    return index >= base && index <= lastIndex() && term(index) == term;
  }

  boolean isFormed() {
    return snapshot != null || base > 0 || !entries.isEmpty();
  }

  @Override
  public long firstIndex() {
    return base + 1;
  }

  @Override
  public long lastIndex() {
    return base + entries.size();
  }

  @Override
  public long term(long index) {
    if (index == base) {
      return baseTerm;
    }
    return entries.get((int) (index - base - 1)).term();
  }

  Entry entry(long index) {
    return entries.get((int) (index - base - 1));
  }

  @Override
  public List<Entry> entries(long from, long to, long maxBytes) {
    List<Entry> found = new ArrayList<>();
    long left = maxBytes;
    for (long at = from; at <= to; at++) {
      Entry entry = entry(at);
      left -= entry.sizeBytes();
      if (left < 0 && !found.isEmpty()) {
        break;
      }
      found.add(entry);
    }
    return found;
  }

  @Override
  public @Nullable SnapshotMeta snapshot() {
    return snapshot;
  }
}
