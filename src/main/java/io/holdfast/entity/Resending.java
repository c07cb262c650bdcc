package io.holdfast.entity;

import java.time.Duration;

/**
 * The times at which one request that has no answer is sent again: after 250 ms, 500 ms, and then
 * every second. What is sent while nobody answers piles up at whoever answers first. Pure.
 *
 * <p>One that is known to wait in line, and lives by more than being asked, is sent ever more
 * seldom, up to every 8 s: only its loss is to be noticed.
 *
 * <p>When its shard comes to another owner it is sent at once, which is when an answer can be had.
 */
public final class Resending {

  private static final long FIRST_NANOS = 250_000_000;
  private static final long LONGEST_NANOS = 1_000_000_000;
  private static final long LONGEST_IN_LINE_NANOS = 8_000_000_000L;

  private long longest;
  private long pause;
  private long dueAt;
  private boolean isRepeated;

  /** Of a request that is sent now for the first time. */
  public Resending(long now) {
    this(now, LONGEST_NANOS);
  }

  /** As {@link #Resending(long)}, and never after a longer pause: to ask is a sign of life. */
  Resending(long now, Duration mostPause) {
    this(now, Math.min(LONGEST_NANOS, mostPause.toNanos()));
  }

  private Resending(long now, long longest) {
    this.longest = longest;
    pauseFor(FIRST_NANOS, now);
  }

  private void pauseFor(long nanos, long now) {
    pause = Math.min(nanos, longest);
    dueAt = now + pause;
  }

  /** Whether it is to be sent again now; if so, it counts as sent. */
  public boolean isDue(long now) {
    if (now - dueAt < 0) {
      return false;
    }
    sent(now);
    return true;
  }

  /** It was sent again. */
  void sent(long now) {
    isRepeated = true;
    pauseFor(2 * pause, now);
  }

  /** It was sent to another owner: that may have been too early. */
  public void moved(long now) {
    isRepeated = true;
    pauseFor(FIRST_NANOS, now);
  }

  /** It is known to wait in line: it is sent again only in case that this is forgotten. */
  public void waits(long now) {
    pauseFor(LONGEST_NANOS, now);
  }

  /** As {@link #waits(long)}, of one that somebody else keeps alive. */
  public void waitsAlive(long now) {
    longest = LONGEST_IN_LINE_NANOS;
    waits(now);
  }

  /** How long to wait until it is sent again. */
  Duration pause() {
    return Duration.ofNanos(pause);
  }

  /**
   * Whether an answer is the outcome of the request: I7 NoOrphan, I8 AtMostOnce. When one copy is
   * answered, another may be on its way, and be decided in another way. So of a request that was
   * sent more than once only an outcome that is kept counts; its later copies have it kept.
   */
  public boolean isOutcome(LockAnswer answer) {
    return !isRepeated || answer.kept();
  }
}
