package io.holdfast.journal.state;

/**
 * The size of a journal compared with its bound, as one node sees it. The actors of that node ask
 * for no more room from a little below the bound on, until there is some room again. So a refusal
 * by the log itself, which costs a lock its actor, is rare, and the level does not flap.
 *
 * @param max the bound, {@link Long#MAX_VALUE} for none
 */
public record Fullness(Footprint footprint, long max, Level level) {

  /** The levels, in order. A level ends at a lower size than the one at which it began. */
  public enum Level {
    ROOM,
    /** An operator should be warned. */
    NEARLY_FULL,
    /** Locks and leases are no longer granted, and no further request may wait. */
    FULL
  }

  private static final int FULL_FROM = 98;
  private static final int FULL_UNTIL = 95;
  private static final int NEARLY_FROM = 80;
  private static final int NEARLY_UNTIL = 75;

  /** An empty journal without a bound. */
  public static final Fullness NONE =
      new Fullness(new Footprint(0, 0, 0, 0), Long.MAX_VALUE, Level.ROOM);

  /** The fullness for this size and bound. */
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

  /** True if the reserve beyond the bound is used up, or nearly so. */
  public boolean isReserveUsedUp() {
    return isFull() && isAbove(footprint, Need.withReserve(max), FULL_FROM);
  }
}
