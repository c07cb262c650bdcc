package io.holdfast.client;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A moment of this process's monotonic clock. It has no meaning in another process, and no wall
 * clock can move it. On Linux it does not advance while the whole machine sleeps; only the fencing
 * token stops the writes of a machine that has just woken.
 */
public final class Deadline {

  private final long atNanos;
  private final LongSupplier nanoClock;

  Deadline(long atNanos, LongSupplier nanoClock) {
    this.atNanos = atNanos;
    this.nanoClock = nanoClock;
  }

  /** Returns the time until the deadline; zero once it has passed. */
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
