package io.holdfast.entity;

import io.holdfast.lock.Ttl;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How much of its own ttl one grant has used up since its last sign of life: as it is measured
 * here, and as the journal has it. What the journal has, the next owner of the shard takes off the
 * ttl.
 *
 * <p>Guarantee, I4 ServerNeverEarly: as long as the journal has more than nothing, or may come to
 * have it, no sign of life {@linkplain #mayAnswer may be answered}. So whoever reads more than
 * nothing there knows that none was answered since it was measured.
 *
 * <p>Used by one thread at a time. Times are of a monotonic clock, in nanoseconds.
 */
final class Ageing {

  /** At most so much of a silence is not written down. Of a shorter ttl it is the half. */
  static final Duration LONGEST_STEP = Duration.ofMinutes(15);

  private final long ttl;
  private final long step;
  private long lastSign;
  private long recorded;
  private boolean measured;

  /**
   * Of a grant whose last sign of life came no later than at this time.
   *
   * @param recorded what the journal has of it
   */
  Ageing(Ttl ttl, Duration recorded, long lastSign) {
    this.ttl = ttl.toDuration().toNanos();
    this.step = Math.min(this.ttl / 2, LONGEST_STEP.toNanos());
    this.recorded = recorded.toNanos();
    this.lastSign = lastSign;
  }

  /** A sign of life came, whether it is answered or not. */
  void sign(long now) {
    if (now - lastSign > 0) {
      lastSign = now;
    }
  }

  /** Whether a sign of life may be answered before the journal is told of it. */
  boolean mayAnswer() {
    return recorded == 0 && !measured;
  }

  /** What to write down now, in whole milliseconds. Until that is over, nothing is answered. */
  Duration measure(long now) {
    measured = true;
    long used = now - lastSign;
    boolean isKnown = used >= recorded && used < recorded + step;
    long toWrite = isKnown ? recorded : used < step ? 0 : Math.min(used, ttl);
    return Duration.ofMillis(toWrite / 1_000_000);
  }

  /** The measurement is over: the journal has this. */
  void recorded(Duration inTheJournal) {
    recorded = inTheJournal.toNanos();
    measured = false;
  }

  /** A sign of life was written, and has set back what the journal had before. */
  void written(long now) {
    sign(now);
    recorded = 0;
  }

  /** When the journal is to be told again; empty if the ttl is over by then. */
  OptionalLong nextAt(long now) {
    if (recorded > 0 && now - lastSign < recorded) { // a sign of life came: to be set back
      return OptionalLong.of(now);
    }
    return recorded + step < ttl
        ? OptionalLong.of(lastSign + recorded + step)
        : OptionalLong.empty();
  }
}
