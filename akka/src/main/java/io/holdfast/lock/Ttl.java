package io.holdfast.lock;

import java.time.Duration;

/** The time that a lock outlives its holder's last keepalive: 100 milliseconds to 24 hours. */
public record Ttl(long millis) {

  public static final long MIN_MILLIS = 100;
  public static final long MAX_MILLIS = 86_400_000; // 24 hours

  private static final long MIN_MARGIN_MILLIS = 50;

  public Ttl {
    OutOfBound.check("ttl_ms", millis, MIN_MILLIS, MAX_MILLIS);
  }

  /**
   * Returns the time that a holder may rely on its grant, counted from the first sending of the
   * acknowledged request: the ttl less a margin for clock drift of 2 %, at least 50 ms.
   */
  public Duration sureFor() {
    return Duration.ofMillis(millis - Math.max(MIN_MARGIN_MILLIS, (millis + 49) / 50));
  }

  public Duration toDuration() {
    return Duration.ofMillis(millis);
  }

  @Override
  public String toString() {
    return millis + " ms";
  }
}
