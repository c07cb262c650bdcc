package io.holdfast.lock;

import java.time.Duration;

/** How long a request is willing to wait in line: zero, not at all, up to one hour. */
public record Patience(long millis) {

  public static final long MAX_MILLIS = 3_600_000; // 1 hour
  public static final Patience NONE = new Patience(0);

  public Patience {
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
