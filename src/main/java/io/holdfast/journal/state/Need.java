package io.holdfast.journal.state;

/**
 * How much room an append needs, by what it is for. When all that is kept has reached its bound,
 * what needs more is refused.
 */
public enum Need {
  /** None: it ends something, or hands it on, and leaves less behind than it took. */
  NOTHING,
  /** A little, for what must be kept to be sure: it may use the reserve beyond the bound. */
  RESERVE,
  /** It asks for more than was there. */
  ROOM;

  /** How much there may be before an append that needs this is refused. */
  long most(long max) {
    return switch (this) {
      case NOTHING -> Long.MAX_VALUE;
      case RESERVE -> withReserve(max);
      case ROOM -> max;
    };
  }

  /** The bound and the reserve beyond it, a quarter. */
  public static long withReserve(long max) {
    return max > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : max + max / 4;
  }
}
