package io.holdfast.keeper;

import io.holdfast.lock.Ttl;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The age of one grant: the part of its own ttl that has passed since its last keepalive, as
 * measured here and as recorded in the journal. The next owner of the shard subtracts the recorded
 * age from the ttl.
 *
 * <p>Guarantee, I4 ServerNeverEarly: as long as the journal has an age above zero, or may get one,
 * no keepalive {@linkplain #mayAnswer may be answered}. So a reader of an age above zero knows that
 * no keepalive was answered since it was measured.
 *
 * <p>Used by one thread at a time. Times are of a monotonic clock, in nanoseconds.
 */
final class GrantAge {

  /** The longest silence that is not recorded. For a shorter ttl it is half of the ttl. */
  static final Duration LONGEST_STEP = Duration.ofMinutes(15);

  private final long ttl;
  private final long step;
  private long lastKeepalive;
  private long recorded;
  private boolean measured;

  /**
   * Creates the age of a grant whose last keepalive came no later than at this time.
   *
   * @param recorded the age in the journal
   */
  GrantAge(Ttl ttl, Duration recorded, long lastKeepalive) {
    this.ttl = ttl.toDuration().toNanos();
    this.step = Math.min(this.ttl / 2, LONGEST_STEP.toNanos());
    this.recorded = recorded.toNanos();
    this.lastKeepalive = lastKeepalive;
  }

  /** Notes a keepalive, answered or not. */
  void keepalive(long now) {
    if (now - lastKeepalive > 0) {
      lastKeepalive = now;
    }
  }

  /** True if a keepalive may be answered without a write to the journal. */
  boolean mayAnswer() {
    return recorded == 0 && !measured;
  }

  /**
   * Returns the age to record now, in whole milliseconds. Until the record is written, no keepalive
   * is answered.
   */
  Duration measure(long now) {
    measured = true;
    long used = now - lastKeepalive;
    boolean isKnown = used >= recorded && used < recorded + step;
    long toWrite = isKnown ? recorded : used < step ? 0 : Math.min(used, ttl);
    return Duration.ofMillis(toWrite / 1_000_000);
  }

  /** Ends a measurement: the journal has this age. */
  void recorded(Duration age) {
    recorded = age.toNanos();
    measured = false;
  }

  /** Notes a keepalive that was written, and that set the recorded age back to zero. */
  void written(long now) {
    keepalive(now);
    recorded = 0;
  }

  /** Returns the time of the next record; empty if the ttl ends before it. */
  OptionalLong nextAt(long now) {
    if (recorded > 0 && now - lastKeepalive < recorded) { // a keepalive came: set it back
      return OptionalLong.of(now);
    }
    return recorded + step < ttl
        ? OptionalLong.of(lastKeepalive + recorded + step)
        : OptionalLong.empty();
  }
}
