package io.holdfast.raft.log;

import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.HardState;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Entries that are no longer in memory, read back a batch at a time. */
final class OldEntries implements LogRecords {

  private final Map<Long, Segment> segments;
  private final BatchDecoder decoder = new BatchDecoder();
  private final Map<Long, Entry> batch = new HashMap<>();
  private long loaded = -1;

  OldEntries(Map<Long, Segment> segments) {
    this.segments = segments;
  }

  /** The entry at {@code index}, from the batch at {@code place}. */
  Entry read(long index, long place) throws IOException {
    Segment segment = segments.get(Segment.numberOf(place));
    if (segment == null) {
      throw new IllegalStateException("no segment holds entry [" + index + "]");
    }
    if (place != loaded) {
      batch.clear();
      loaded = -1;
      decoder.replay(segment.file(), segment.header(), Segment.offsetOf(place), this);
      loaded = place;
    }
    Entry entry = batch.get(index);
    if (entry == null) {
      throw new LogDamaged(
          segment.header().name(),
          Segment.offsetOf(place),
          "entry [" + index + "] is not there any more");
    }
    return entry;
  }

  /** Of an entry that a batch writes twice, the last stands. */
  @Override
  public void entry(Entry entry) {
    batch.put(entry.index(), entry);
  }

  @Override
  public void hardState(HardState hardState) {}

  @Override
  public void truncated(long from, long termBefore) {}

  @Override
  public void reset(long index, long term) {}

  @Override
  public void continued(long nextSegment) {}
}
