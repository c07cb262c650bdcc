package io.holdfast.raft.log;

import io.holdfast.raft.core.Entry;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Term and place of each entry of the log, and the newest entries themselves.
 *
 * <p>The entries {@code base + 1 … last()} are present. A place is that of the batch: segment
 * number in the high half, offset in the low one.
 */
final class EntryIndex {

  private final long cachedBytesMax;
  private long base;
  private long baseTerm;
  private long[] terms = new long[1024];
  private long[] places = new long[1024];
  private @Nullable Entry[] cached = new @Nullable Entry[1024];
  private int skipped; // slots before base + 1, given back when the arrays grow
  private int count;
  private long placedTo;
  private long cachedFrom = 1;
  private long cachedBytes;

  EntryIndex(long cachedBytesMax) {
    this.cachedBytesMax = cachedBytesMax;
  }

  long base() {
    return base;
  }

  long last() {
    return base + count;
  }

  long term(long index) {
    return index == base ? baseTerm : terms[slot(index)];
  }

  long placeOf(long index) {
    return places[slot(index)];
  }

  @Nullable Entry cached(long index) {
    return cached[slot(index)];
  }

  void append(Entry entry) {
    if (entry.index() != last() + 1 || entry.term() < term(last())) {
      throw new IllegalArgumentException(
          "entry [" + entry + "] does not follow [" + term(last()) + "/" + last() + "]");
    }
    if (skipped + count == terms.length) {
      grow();
    }
    int slot = skipped + count++;
    terms[slot] = entry.term();
    cached[slot] = entry;
    cachedBytes += entry.sizeBytes();
  }

  /** The entries appended since the last call stand in the batch at {@code place}. */
  void place(long place) {
    if (placedTo < last()) {
      Arrays.fill(places, slot(placedTo + 1), slot(last()) + 1, place);
      placedTo = last();
    }
    while (cachedBytes > cachedBytesMax && cachedFrom < last()) {
      forget(cachedFrom++);
    }
  }

  void truncate(long from, long termBefore) {
    if (from > last()) {
      throw new IllegalArgumentException("nothing to cut at [" + from + "] of [" + last() + "]");
    }
    if (from <= base) {
      reset(from - 1, termBefore);
      return;
    }
    for (long index = from; index <= last(); index++) {
      forget(index);
    }
    count = (int) (from - base - 1);
    placedTo = Math.min(placedTo, last());
    cachedFrom = Math.min(cachedFrom, last() + 1);
  }

  void reset(long index, long term) {
    base = index;
    baseTerm = term;
    Arrays.fill(cached, null);
    skipped = 0;
    count = 0;
    placedTo = index;
    cachedFrom = index + 1;
    cachedBytes = 0;
  }

  /** Forgets the entries before {@code first}, which is in the log or follows it. */
  void compact(long first) {
    long newBaseTerm = term(first - 1);
    for (long index = base + 1; index < first; index++) {
      forget(index);
    }
    int gone = (int) (first - 1 - base);
    skipped += gone;
    count -= gone;
    base = first - 1;
    baseTerm = newBaseTerm;
    cachedFrom = Math.max(cachedFrom, first);
  }

  private void forget(long index) {
    int slot = slot(index);
    Entry entry = cached[slot];
    if (entry != null) {
      cachedBytes -= entry.sizeBytes();
      cached[slot] = null;
    }
  }

  private int slot(long index) {
    if (index <= base || index > last()) {
      throw new IllegalArgumentException(
          "index [" + index + "] is outside [" + (base + 1) + ", " + last() + "]");
    }
    return skipped + (int) (index - base - 1);
  }

  private void grow() {
    int capacity = count * 2 > terms.length ? terms.length * 2 : terms.length;
    int end = skipped + count;
    terms = Arrays.copyOf(Arrays.copyOfRange(terms, skipped, end), capacity);
    places = Arrays.copyOf(Arrays.copyOfRange(places, skipped, end), capacity);
    cached = Arrays.copyOf(Arrays.copyOfRange(cached, skipped, end), capacity);
    skipped = 0;
  }
}
