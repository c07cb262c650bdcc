package io.holdfast.lock;

import java.util.OptionalLong;

/** Thrown for a value of a client that is out of its bounds. */
public final class OutOfBound extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final long minimum;
  private final long maximum;

  private OutOfBound(String message, long minimum, long maximum) {
    super(message);
    this.minimum = minimum;
    this.maximum = maximum;
  }

  public static OutOfBound below(String name, long value, long minimum) {
    return new OutOfBound(
        name + " [" + value + "] is below the minimum [" + minimum + "]", minimum, Long.MAX_VALUE);
  }

  static OutOfBound above(String name, long value, long maximum) {
    return new OutOfBound(
        name + " [" + value + "] exceeds the maximum [" + maximum + "]", Long.MIN_VALUE, maximum);
  }

  static OutOfBound ill(String message) {
    return new OutOfBound(message, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** Checks a number against its bounds. */
  public static void check(String name, long value, long minimum, long maximum) {
    if (value < minimum) {
      throw below(name, value, minimum);
    } else if (value > maximum) {
      throw above(name, value, maximum);
    }
  }

  /** Returns the lower bound, if the value was below it. */
  public OptionalLong minimum() {
    return minimum == Long.MIN_VALUE ? OptionalLong.empty() : OptionalLong.of(minimum);
  }

  /** Returns the upper bound, if the value exceeded it. */
  public OptionalLong maximum() {
    return maximum == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(maximum);
  }
}
