package holdfast.lock;

import java.time.Duration;

/** How long a lock outlives its holder's last sign of life: 100 milliseconds to 24 hours. */
public record Ttl(long millis) {

  public static final long MIN_MILLIS = 100;
  public static final long MAX_MILLIS = 86_400_000; // 24 hours

  public Ttl {
    OutOfBound.check("ttl_ms", millis, MIN_MILLIS, MAX_MILLIS);
  }

  public Duration toDuration() {
    return Duration.ofMillis(millis);
  }

  @Override
  public String toString() {
    return millis + " ms";
  }
}
