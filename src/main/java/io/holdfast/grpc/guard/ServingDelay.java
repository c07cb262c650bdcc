package io.holdfast.grpc.guard;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/**
 * The time that a task waits for a thread of the server. A task without work is handed to the
 * threads at intervals, one at a time. Safe for use by many threads.
 */
final class ServingDelay {

  /** The pause between two calls of {@link #measure}. */
  static final Duration MEASURE_EVERY = Duration.ofMillis(20);

  private final Executor threads;
  private final LongSupplier clock;
  private volatile boolean waiting;
  private volatile long askedAt;
  private volatile long last;

  /**
   * @param threads the threads of the server
   * @param clock the monotonic clock, in nanoseconds
   */
  ServingDelay(Executor threads, LongSupplier clock) {
    this.threads = threads;
    this.clock = clock;
  }

  /** Hands a task to the threads, unless one still waits. Called by one thread at a time. */
  void measure() {
    if (waiting) {
      return;
    }
    askedAt = clock.getAsLong();
    waiting = true;
    try {
      threads.execute(
          () -> {
            last = clock.getAsLong() - askedAt;
            waiting = false;
          });
    } catch (RejectedExecutionException e) { // the threads shut down
      waiting = false;
    }
  }

  /** Returns the delay of the last task, or of the one that waits, in nanoseconds. */
  long nanos() {
    return waiting ? Math.max(last, clock.getAsLong() - askedAt) : last;
  }
}
