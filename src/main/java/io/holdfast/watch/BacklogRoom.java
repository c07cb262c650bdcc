package io.holdfast.watch;

/**
 * The room that the backlogs of all watches share, in places. A watch that finds none left reads
 * the history instead, and tells the same. Guarded by the hub's lock.
 */
final class BacklogRoom {

  /** The backlogs may take this part of what the history may. */
  private static final int PART = 4;

  private long left;

  private BacklogRoom(long places) {
    left = places;
  }

  /** Beside a history of so many bytes. */
  static BacklogRoom beside(long historyBytes) {
    return new BacklogRoom(historyBytes / PART / Long.BYTES);
  }

  /** Takes so many places, or none if there are fewer. */
  boolean take(int places) {
    if (left < places) {
      return false;
    }
    left -= places;
    return true;
  }

  void give(int places) {
    left += places;
  }

  /** The number of places that are left. */
  long left() {
    return left;
  }
}
