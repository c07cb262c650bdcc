package io.holdfast.raft.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.SnapshotMeta;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A naive model of a log. Immutable. */
record LogModel(
    HardState hardState,
    long base,
    long baseTerm,
    List<Entry> entries,
    @Nullable SnapshotMeta snapshot,
    Bytes snapshotBytes) {

  static final LogModel NEW =
      new LogModel(HardState.NEW, 0, 0, List.of(), null, Bytes.of(new byte[0]));

  long last() {
    return base + entries.size();
  }

  long term(long index) {
    return index == base ? baseTerm : entries.get((int) (index - base - 1)).term();
  }

  LogModel written(@Nullable HardState changed, List<Entry> appended) {
    List<Entry> all = new ArrayList<>(entries);
    for (Entry entry : appended) {
      all.subList((int) (entry.index() - base - 1), all.size()).clear();
      all.add(entry);
    }
    return new LogModel(
        changed == null ? hardState : changed, base, baseTerm, all, snapshot, snapshotBytes);
  }

  LogModel adopted(SnapshotMeta meta, byte[] bytes) {
    return new LogModel(hardState, base, baseTerm, entries, meta, Bytes.of(bytes));
  }

  /** The log after it was opened: one that the snapshot is ahead of goes on after it. */
  LogModel opened() {
    if (snapshot == null
        || (snapshot.index() <= last() && term(snapshot.index()) == snapshot.term())) {
      return this;
    }
    return new LogModel(
        hardState, snapshot.index(), snapshot.term(), List.of(), snapshot, snapshotBytes);
  }

  LogModel compacted(long first) {
    if (first <= base + 1 || first > last() + 1) {
      return this;
    }
    return new LogModel(
        hardState,
        first - 1,
        term(first - 1),
        entries.subList((int) (first - 1 - base), entries.size()),
        snapshot,
        snapshotBytes);
  }

  /** True if the log holds exactly this, except that compaction may have left more. */
  void verify(WriteAheadLog log) {
    assertEquals(hardState, log.hardState());
    assertEquals(last(), log.lastIndex());
    assertEquals(snapshot, log.snapshot());
    if (log.firstIndex() > base + 1) {
      throw new AssertionError("first [" + log.firstIndex() + "] is after [" + (base + 1) + "]");
    }
    assertEquals(baseTerm, log.term(base));
    List<Entry> found = new ArrayList<>();
    for (long at = base + 1; at <= last(); at = base + 1 + found.size()) {
      found.addAll(log.entries(at, last(), 1000));
    }
    assertEquals(entries, found);
    for (Entry entry : entries) {
      assertEquals(entry.term(), log.term(entry.index()));
    }
    if (snapshot != null) {
      try {
        assertArrayEquals(snapshotBytes.array(), log.snapshots().stream(snapshot).readAllBytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  boolean matches(WriteAheadLog log) {
    try {
      verify(log);
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return "%s, %d/%d + %s, %s".formatted(hardState, baseTerm, base, entries, snapshot);
  }
}
