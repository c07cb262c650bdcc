package holdfast.client;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A moment of this process's monotonic clock. It has no meaning in another process, and no wall
 * clock can move it. Linux does not count the time in which the whole machine sleeps: what a
 * machine does when it wakes, only the fencing token can stop.
 */
public final class Deadline {

  private static final Duration MIN_MARGIN = Duration.ofMillis(50);
  private static final int MARGIN_PART = 50; // 2 %

  private final long atNanos;
  private final LongSupplier nanoClock;

  private Deadline(long atNanos, LongSupplier nanoClock) {
    this.atNanos = atNanos;
    this.nanoClock = nanoClock;
  }

  static Deadline in(Duration duration, LongSupplier nanoClock) {
    return new Deadline(nanoClock.getAsLong() + duration.toNanos(), nanoClock);
  }

  /**
   * Until when a grant is surely held.
   *
   * @param sentNanos when the request that was granted was sent, for the first time
   */
  static Deadline ofGrant(long sentNanos, Duration grantedTtl, LongSupplier nanoClock) {
    return new Deadline(sentNanos + surelyHeld(grantedTtl).toNanos(), nanoClock);
  }

  /** What is left of a ttl after the margin for clocks that do not run alike. */
  static Duration surelyHeld(Duration ttl) {
    Duration part = ttl.dividedBy(MARGIN_PART);
    return ttl.minus(part.compareTo(MIN_MARGIN) > 0 ? part : MIN_MARGIN);
  }

  /** The time until then; zero once it has passed. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, atNanos - nanoClock.getAsLong()));
  }

  public boolean isPassed() {
    return atNanos - nanoClock.getAsLong() <= 0;
  }

  @Override
  public String toString() {
    return "in " + remaining().toMillis() + " ms";
  }
}
