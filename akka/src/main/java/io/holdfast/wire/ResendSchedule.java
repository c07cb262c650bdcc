package io.holdfast.wire;

import java.time.Duration;

/**
 * The times at which one request without an answer is resent: after 250 ms, 500 ms, and then every
 * second. It backs off since unanswered copies pile up at the node that answers first. Pure.
 *
 * <p>A request that is known to wait in the queue, and that others keep alive, backs off further,
 * up to every 8 s: only its loss is to be noticed.
 *
 * <p>When its shard gets a new owner, it is resent at once.
 */
public final class ResendSchedule {

  private static final long FIRST_NANOS = 250_000_000;
  private static final long LONGEST_NANOS = 1_000_000_000;
  private static final long LONGEST_QUEUED_NANOS = 8_000_000_000L;

  private long longest;
  private long pause;
  private long dueAt;
  private boolean isRepeated;

  /** Creates the schedule of a request that is sent now for the first time. */
  public ResendSchedule(long now) {
    this(now, LONGEST_NANOS);
  }

  /** As {@link #ResendSchedule(long)}, with a bound on the pauses: each copy is a keepalive. */
  public ResendSchedule(long now, Duration mostPause) {
    this(now, Math.min(LONGEST_NANOS, mostPause.toNanos()));
  }

  private ResendSchedule(long now, long longest) {
    this.longest = longest;
    pauseFor(FIRST_NANOS, now);
  }

  private void pauseFor(long nanos, long now) {
    pause = Math.min(nanos, longest);
    dueAt = now + pause;
  }

  /** True if it must be resent now; it counts as sent then. */
  public boolean isDue(long now) {
    if (now - dueAt < 0) {
      return false;
    }
    sent(now);
    return true;
  }

  /** Notes that it was resent. */
  public void sent(long now) {
    isRepeated = true;
    pauseFor(2 * pause, now);
  }

  /**
   * Notes that it was sent to a new owner. That may have been too early, so the pauses start again.
   */
  public void moved(long now) {
    isRepeated = true;
    pauseFor(FIRST_NANOS, now);
  }

  /** Notes that it waits in the queue. It is resent only in case that the queue is lost. */
  public void waits(long now) {
    pauseFor(LONGEST_NANOS, now);
  }

  /** As {@link #waits(long)}, for a request that others keep alive. */
  public void waitsAlive(long now) {
    longest = LONGEST_QUEUED_NANOS;
    waits(now);
  }

  /** Returns the pause until it is resent. */
  public Duration pause() {
    return Duration.ofNanos(pause);
  }

  /**
   * True if an answer is the final outcome of the request: I7 NoOrphan, I8 AtMostOnce. After the
   * answer to one copy, another copy may be decided differently. So for a request that was sent
   * more than once, only a recorded outcome counts. Its later copies ask for a record.
   */
  public boolean isOutcome(LockAnswer answer) {
    return !isRepeated || answer.kept();
  }
}
