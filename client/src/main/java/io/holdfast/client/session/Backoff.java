package io.holdfast.client.session;

import java.util.random.RandomGenerator;

/**
 * The delay before the next attempt to connect: 50 ms, doubled up to 1 s, and half of it random.
 */
final class Backoff {

  private static final long FIRST_MILLIS = 50;
  private static final long MAX_MILLIS = 1_000;
  private static final long MAX_MILLIS_OF_STRANGERS = 10_000;
  private static final int DOUBLINGS = 8;

  private final RandomGenerator random;

  Backoff(RandomGenerator random) {
    this.random = random;
  }

  /** Returns the delay after so many failures. */
  long nanos(int failures) {
    return nanos(failures, MAX_MILLIS);
  }

  /** Returns the delay for an address that has never answered. */
  long nanosOfStranger(int failures) {
    return nanos(failures, MAX_MILLIS_OF_STRANGERS);
  }

  private long nanos(int failures, long maxMillis) {
    long millis = Math.min(maxMillis, FIRST_MILLIS << Math.min(failures, DOUBLINGS));
    long nanos = DeadlineRules.nanos(millis);
    return nanos / 2 + random.nextLong(nanos / 2 + 1);
  }
}
