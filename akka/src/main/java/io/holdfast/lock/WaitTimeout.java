package io.holdfast.lock;

import java.time.Duration;

/**
 * The longest time that a request waits in the queue, from zero to one hour. With zero it does not
 * wait.
 */
public record WaitTimeout(long millis) {

  public static final long MAX_MILLIS = 3_600_000; // 1 hour
  public static final WaitTimeout NONE = new WaitTimeout(0);

  public WaitTimeout {
    OutOfBound.check("timeout_ms", millis, 0, MAX_MILLIS);
  }

  public boolean waits() {
    return millis > 0;
  }

  public Duration toDuration() {
    return Duration.ofMillis(millis);
  }

  @Override
  public String toString() {
    return millis + " ms";
  }
}
