package io.holdfast.journal.state;

/** Checks of a writer's values. A value out of its bounds is a fault of the writer. */
final class Required {

  private Required() {}

  static void within(String what, long value, long minimum, long maximum) {
    if (value < minimum) {
      throw new IllegalArgumentException(
          what + " [" + value + "] is below the minimum [" + minimum + "]");
    } else if (value > maximum) {
      throw new IllegalArgumentException(
          what + " [" + value + "] exceeds the maximum [" + maximum + "]");
    }
  }

  static void that(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
