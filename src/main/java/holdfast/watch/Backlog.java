package holdfast.watch;

import java.util.Arrays;

/** The places in the history of what a watch has yet to tell: numbers only, and a bound of them. */
final class Backlog {

  static final int MAX = 1_024;

  private static final int FIRST_SIZE = 4;

  private long[] places = {};
  private int head;
  private int size;

  /** Adds a place; false if it is full. */
  boolean add(long place) {
    if (size == MAX) {
      return false;
    } else if (size == places.length) {
      grow();
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
      places = new long[] {}; // thousands of idle watches keep no room that one burst took
    }
  }

  private void grow() {
    long[] larger = Arrays.copyOf(places, Math.max(FIRST_SIZE, places.length * 2));
    for (int i = 0; i < size; i++) {
      larger[i] = places[(head + i) & (places.length - 1)];
    }
    places = larger;
    head = 0;
  }
}
