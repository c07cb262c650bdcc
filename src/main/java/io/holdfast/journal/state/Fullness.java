package io.holdfast.journal.state;

/**
 * How near all that a node's journal keeps has come to its bound, as this node sees it: who decides
 * there asks for no more from a little below the bound on, until there is some room again. So a
 * refusal by the log itself, which costs a lock its actor, is rare, and nothing changes to and fro.
 *
 * @param max the bound, {@link Long#MAX_VALUE} for none
 */
public record Fullness(Footprint footprint, long max, Level level) {

  /** The levels, in order. Each is left again at a lower size than the one it began at. */
  public enum Level {
    ROOM,
    /** An operator should know. */
    NEARLY_FULL,
    /** Nothing more is granted, and nobody waits or begins a lease any more. */
    FULL
  }

  private static final int FULL_FROM = 98;
  private static final int FULL_UNTIL = 95;
  private static final int NEARLY_FROM = 80;
  private static final int NEARLY_UNTIL = 75;

  /** Nothing is kept, and nothing is bounded. */
  public static final Fullness NONE =
      new Fullness(new Footprint(0, 0, 0, 0), Long.MAX_VALUE, Level.ROOM);

  /** What it is when so much is kept under this bound. */
  public Fullness next(Footprint now, long bound) {
    boolean wasFull = level == Level.FULL;
    boolean wasNearly = level != Level.ROOM;
    Level next = Level.ROOM;
    if (isAbove(now, bound, wasFull ? FULL_UNTIL : FULL_FROM)) {
      next = Level.FULL;
    } else if (isAbove(now, bound, wasNearly ? NEARLY_UNTIL : NEARLY_FROM)) {
      next = Level.NEARLY_FULL;
    }
    return new Fullness(now, bound, next);
  }

  private static boolean isAbove(Footprint now, long bound, int percent) {
    return bound != Long.MAX_VALUE && now.size() >= bound / 100.0 * percent;
  }

  public boolean isFull() {
    return level == Level.FULL;
  }

  /** Whether even the reserve beyond the bound is used up, or nearly. */
  public boolean isReserveUsedUp() {
    return isFull() && isAbove(footprint, Need.withReserve(max), FULL_FROM);
  }
}
