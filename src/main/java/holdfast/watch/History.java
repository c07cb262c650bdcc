package holdfast.watch;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The latest public changes, as many as fit its bounds. Each has a place: a number that rises by
 * one with each change and never comes back. The oldest changes give way to new ones, by whole
 * revisions; the newest revision is always kept.
 */
final class History {

  private final int maxEvents;
  private final long maxBytes;
  private @Nullable LockChange[] ring = new @Nullable LockChange[16]; // a power of two
  private long start;
  private long end;
  private long bytes;
  private long first = 1;
  private long revision;

  History(int maxEvents, long maxBytes) {
    this.maxEvents = maxEvents;
    this.maxBytes = maxBytes;
  }

  /** The first revision whose changes are all known here. */
  long first() {
    return first;
  }

  /** All changes up to this revision are known here, if they are not older than the first. */
  long revision() {
    return revision;
  }

  /** The place of the oldest change. */
  long start() {
    return start;
  }

  /** The place that the next change will have. */
  long end() {
    return end;
  }

  LockChange at(long place) {
    if (place < start || place >= end) {
      throw new IndexOutOfBoundsException(place + " is not in [" + start + ", " + end + ")");
    }
    return Objects.requireNonNull(ring[index(place)]);
  }

  /** The place of the first change that is not older than a revision. */
  long seek(long wanted) {
    long low = start;
    long high = end;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (at(middle).revision() < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Adds a change. Others of the same revision may follow: it is complete when it is reached. */
  void append(LockChange change) {
    long latest = end > start ? at(end - 1).revision() : 0;
    if (change.revision() <= revision || change.revision() < latest) {
      throw new IllegalArgumentException(
          "revision [%d] comes after [%d]"
              .formatted(change.revision(), Math.max(latest, revision)));
    }
    revision = change.revision() - 1;
    if (end - start == ring.length) {
      grow();
    }
    ring[index(end++)] = change;
    bytes += change.weight();
    while ((end - start > maxEvents || bytes > maxBytes)
        && at(start).revision() < change.revision()) {
      forgetOldest();
    }
  }

  /** There are no more changes up to this revision. */
  void reach(long told) {
    if (told < revision) {
      throw new IllegalArgumentException("revision [" + told + "] comes after [" + revision + "]");
    }
    revision = told;
  }

  /** Begins anew: nothing is known of this revision and those before it. */
  void begin(long told) {
    ring = new @Nullable LockChange[16];
    start = end;
    bytes = 0;
    revision = told;
    first = told + 1;
  }

  private void forgetOldest() {
    long oldest = at(start).revision();
    while (start < end && at(start).revision() == oldest) {
      bytes -= at(start).weight();
      ring[index(start++)] = null;
    }
    first = oldest + 1;
  }

  private void grow() {
    @Nullable LockChange[] larger = new @Nullable LockChange[ring.length * 2];
    for (long place = start; place < end; place++) {
      larger[(int) (place & (larger.length - 1))] = ring[index(place)];
    }
    ring = larger;
  }

  private int index(long place) {
    return (int) (place & (ring.length - 1));
  }
}
