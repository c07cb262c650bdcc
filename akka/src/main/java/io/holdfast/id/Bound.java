package io.holdfast.id;

/** Checks of the numbers of ids. A number out of its bounds is a fault of the caller. */
final class Bound {

  private Bound() {}

  static void check(String name, long value, long minimum, long maximum) {
    if (value < minimum) {
      throw new IllegalArgumentException(
          name + " [" + value + "] is below the minimum [" + minimum + "]");
    } else if (value > maximum) {
      throw new IllegalArgumentException(
          name + " [" + value + "] exceeds the maximum [" + maximum + "]");
    }
  }
}
