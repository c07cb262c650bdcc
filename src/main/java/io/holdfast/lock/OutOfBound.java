package io.holdfast.lock;

import java.util.OptionalLong;

/** A value that a client gave is outside of its bound. */
public final class OutOfBound extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final long minimum;
  private final long maximum;

  private OutOfBound(String message, long minimum, long maximum) {
    super(message);
    this.minimum = minimum;
    this.maximum = maximum;
  }

  static OutOfBound below(String what, long value, long minimum) {
    return new OutOfBound(
        what + " [" + value + "] is below the minimum [" + minimum + "]", minimum, Long.MAX_VALUE);
  }

  static OutOfBound above(String what, long value, long maximum) {
    return new OutOfBound(
        what + " [" + value + "] exceeds the maximum [" + maximum + "]", Long.MIN_VALUE, maximum);
  }

  static OutOfBound ill(String message) {
    return new OutOfBound(message, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** Checks a number against both its bounds. */
  public static void check(String what, long value, long minimum, long maximum) {
    if (value < minimum) {
      throw below(what, value, minimum);
    } else if (value > maximum) {
      throw above(what, value, maximum);
    }
  }

  /** The lower bound, if that was passed. */
  public OptionalLong minimum() {
    return minimum == Long.MIN_VALUE ? OptionalLong.empty() : OptionalLong.of(minimum);
  }

  /** The upper bound, if that was passed. */
  public OptionalLong maximum() {
    return maximum == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(maximum);
  }
}
