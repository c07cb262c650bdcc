package io.holdfast.watch;

import java.util.Arrays;

/** The places in the history of what a watch has yet to tell: numbers only, and a bound of them. */
final class Backlog {

  static final int MAX = 1_024;

  private static final int FIRST_SIZE = 4;

  private final BacklogRoom room;
  private long[] places = {};
  private int head;
  private int size;

  /** One that is empty, and takes what it needs beyond a few places from this room. */
  Backlog(BacklogRoom room) {
    this.room = room;
  }

  /** Adds a place; false if it is full, or all backlogs together are. */
  boolean add(long place) {
    if (size == MAX || (size == places.length && !grow())) {
      return false;
    }
    places[(head + size++) & (places.length - 1)] = place;
    return true;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The oldest place. There must be one. */
  long peek() {
    if (size == 0) {
      throw new IllegalStateException("nothing to tell");
    }
    return places[head];
  }

  void poll() {
    head = (head + 1) & (places.length - 1);
    if (--size == 0) {
      clear();
    }
  }

  void clear() {
    head = 0;
    size = 0;
    if (places.length > FIRST_SIZE) {
      room.give(places.length);
      places = new long[] {}; // thousands of idle watches keep no room that one burst took
    }
  }

  private boolean grow() {
    int length = Math.max(FIRST_SIZE, places.length * 2);
    int more = length - (places.length > FIRST_SIZE ? places.length : 0);
    if (length > FIRST_SIZE && !room.take(more)) {
      return false;
    }
    long[] larger = Arrays.copyOf(places, length);
    for (int i = 0; i < size; i++) {
      larger[i] = places[(head + i) & (places.length - 1)];
    }
    places = larger;
    head = 0;
    return true;
  }
}
