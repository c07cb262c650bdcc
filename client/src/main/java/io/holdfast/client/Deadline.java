package io.holdfast.client;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A moment of this process's monotonic clock. It has no meaning in another process, and no wall
 * clock can move it. Linux does not count the time in which the whole machine sleeps: what a
 * machine does when it wakes, only the fencing token can stop.
 */
public final class Deadline {

  private final long atNanos;
  private final LongSupplier nanoClock;

  Deadline(long atNanos, LongSupplier nanoClock) {
    this.atNanos = atNanos;
    this.nanoClock = nanoClock;
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
