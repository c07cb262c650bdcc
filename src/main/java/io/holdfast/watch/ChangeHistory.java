package io.holdfast.watch;

import io.holdfast.journal.state.ChangeBytes;

/**
 * The latest public changes, as many as fit its bounds. Each has a place: a number that rises by
 * one with each change and never comes back. The oldest changes give way to new ones, by whole
 * revisions; the newest revision is always kept. They are kept as bytes, and read again by whoever
 * asks for them.
 */
final class ChangeHistory {

  /** The size of a change besides its bytes. */
  static final int OVERHEAD = 2 * Long.BYTES + Integer.BYTES;

  private static final int FIRST_LENGTH = 16; // a power of two, as all that follow

  private final int maxEvents;
  private final long maxBytes;
  private final Pages pages = new Pages();
  private long[] revisions = new long[FIRST_LENGTH];
  private long[] pieces = new long[FIRST_LENGTH];
  private long start;
  private long end;
  private long bytes;
  private long first = 1;
  private long revision;

  ChangeHistory(int maxEvents, long maxBytes) {
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
    requireThere(place);
    return LockChange.of(ChangeBytes.take(pages.at(pieces[index(place)]))).orElseThrow();
  }

  String keyAt(long place) {
    requireThere(place);
    return LockChange.key(ChangeBytes.id(pages.at(pieces[index(place)])));
  }

  long revisionAt(long place) {
    requireThere(place);
    return revisions[index(place)];
  }

  private void requireThere(long place) {
    if (place < start || place >= end) {
      throw new IndexOutOfBoundsException(place + " is not in [" + start + ", " + end + ")");
    }
  }

  /** The place of the first change that is not older than a revision. */
  long seek(long wanted) {
    long low = start;
    long high = end;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (revisionAt(middle) < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Adds a change. Others of the same revision may follow: it is complete when it is reached. */
  void append(LockChange change) {
    long latest = end > start ? revisionAt(end - 1) : 0;
    long added = change.revision().value();
    if (added <= revision || added < latest) {
      throw new IllegalArgumentException(
          "revision [%d] comes after [%d]".formatted(added, Math.max(latest, revision)));
    }
    revision = added - 1;
    if (end - start == revisions.length) {
      grow();
    }
    byte[] piece = ChangeBytes.of(change.change());
    revisions[index(end)] = added;
    pieces[index(end)] = pages.add(piece);
    bytes += OVERHEAD + piece.length;
    end++;
    while ((end - start > maxEvents || bytes > maxBytes) && revisionAt(start) < added) {
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
    revisions = new long[FIRST_LENGTH];
    pieces = new long[FIRST_LENGTH];
    pages.clear();
    start = end;
    bytes = 0;
    revision = told;
    first = told + 1;
  }

  private void forgetOldest() {
    long oldest = revisionAt(start);
    while (start < end && revisionAt(start) == oldest) {
      bytes -= OVERHEAD + pages.size(pieces[index(start)]);
      start++;
    }
    pages.forgetBefore(pieces[index(start)]); // the newest revision is there
    first = oldest + 1;
  }

  private void grow() {
    long[] moreRevisions = new long[revisions.length * 2];
    long[] morePieces = new long[pieces.length * 2];
    for (long place = start; place < end; place++) {
      int at = (int) (place & (morePieces.length - 1));
      moreRevisions[at] = revisions[index(place)];
      morePieces[at] = pieces[index(place)];
    }
    revisions = moreRevisions;
    pieces = morePieces;
  }

  private int index(long place) {
    return (int) (place & (revisions.length - 1));
  }
}
