package io.holdfast.raft.core;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A log that is only in memory, and is never compacted. */
final class MemoryLog implements RaftLogView {

  private final List<Entry> entries = new ArrayList<>();

  /** Takes a reaction's entries, as a disk would. */
  void append(List<Entry> written) {
    for (Entry entry : written) {
      entries.subList((int) entry.index() - 1, entries.size()).clear();
      entries.add(entry);
    }
  }

  @Override
  public long firstIndex() {
    return 1;
  }

  @Override
  public long lastIndex() {
    return entries.size();
  }

  @Override
  public long term(long index) {
    return index == 0 ? 0 : entries.get((int) index - 1).term();
  }

  @Override
  public List<Entry> entries(long from, long to, long maxBytes) {
    List<Entry> found = new ArrayList<>();
    long left = maxBytes;
    for (long at = from; at <= to; at++) {
      Entry entry = entries.get((int) at - 1);
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
    return null;
  }
}
