package io.holdfast.journal.state;

/**
 * The room that an append needs. When the size has reached its bound, the journal refuses appends
 * that need more.
 */
public enum Need {
  /** No room: it ends something, or hands it over, and leaves less than it found. */
  NOTHING,
  /** A little room, for the sake of safety: it may use the reserve beyond the bound. */
  RESERVE,
  /** Room for more than was there before. */
  ROOM;

  /** The size from which on an append with this need is refused. */
  long most(long max) {
    return switch (this) {
      case NOTHING -> Long.MAX_VALUE;
      case RESERVE -> withReserve(max);
      case ROOM -> max;
    };
  }

  /** The bound and the reserve beyond it, which is a quarter. */
  public static long withReserve(long max) {
    return max > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : max + max / 4;
  }
}
