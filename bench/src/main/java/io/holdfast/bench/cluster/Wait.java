package io.holdfast.bench.cluster;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits with a bound. */
final class Wait {

  private Wait() {}

  /** Waits until it holds, and says how long that took, in milliseconds. */
  static long until(String what, long withinMs, BooleanSupplier holds, Supplier<String> state) {
    long start = System.nanoTime();
    while (!holds.getAsBoolean()) {
      if (sinceMs(start) > withinMs) {
        throw new IllegalStateException(
            what + ": not within [" + withinMs + " ms]: " + state.get());
      }
      pause(20);
    }
    return sinceMs(start);
  }

  static long sinceMs(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  static void pause(long ms) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ms));
  }
}
