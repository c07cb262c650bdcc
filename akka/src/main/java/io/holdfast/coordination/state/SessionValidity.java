package io.holdfast.coordination.state;

import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The time until which a node may act on its session, by its own clocks.
 *
 * <p>The opening is attempt 0; every renewal is an attempt with its own number. What is
 * acknowledged is a number, and what counts is when that number was sent <em>first</em>: the log
 * cannot have seen it before. Used by one thread; the clocks are a monotonic one, which may stand
 * still while the machine is suspended, and the wall clock, which shows that.
 */
public final class SessionValidity {

  /** The most attempts that wait for their acknowledgement; older ones are given up. */
  public static final int MAX_OPEN_ATTEMPTS = 16;

  private record Reading(long monotonicMs, long wallMs) {}

  private final SessionTimes times;
  private final NavigableMap<Long, Reading> open = new TreeMap<>();
  private Reading acknowledged;
  private boolean isAcknowledged;
  private Reading newest;
  private long number;

  /** Begins with the first send of the opening. */
  public SessionValidity(SessionTimes times, long nowMonotonicMs, long nowWallMs) {
    this.times = times;
    newest = new Reading(nowMonotonicMs, nowWallMs);
    acknowledged = newest;
    open.put(number, newest);
  }

  /** Begins a renewal, which is sent now for the first time; its re-sends keep the number. */
  public long renew(long nowMonotonicMs, long nowWallMs) {
    number++;
    newest = new Reading(nowMonotonicMs, nowWallMs);
    open.put(number, newest);
    if (open.size() > MAX_OPEN_ATTEMPTS) {
      open.pollFirstEntry();
    }
    return number;
  }

  /**
   * The attempt of this number was applied. One that is older than the last, or unknown, is not
   * news.
   */
  public void acknowledged(long attempt) {
    Reading first = open.get(attempt);
    if (first != null) {
      acknowledged = first;
      isAcknowledged = true;
      open.headMap(attempt, /* inclusive= */ true).clear();
    }
  }

  /** The time when the next renewal begins. */
  public long nextRenewalMs() {
    return newest.monotonicMs + times.renewalMs();
  }

  /** The end of the validity, by the monotonic clock. */
  public long validUntilMs() {
    return isAcknowledged ? acknowledged.monotonicMs + times.validForMs() : Long.MIN_VALUE;
  }

  /** True if the node may act now. */
  public boolean isValid(long nowMonotonicMs, long nowWallMs) {
    return nowMonotonicMs < validUntilMs()
        && nowWallMs - acknowledged.wallMs < times.validForMs()
        && !wasSuspended(nowMonotonicMs, nowWallMs);
  }

  /**
   * True if the machine stood still since the acknowledged attempt was sent, as the wall clock
   * says. A session is doubtful then, until an attempt that began later is acknowledged.
   */
  public boolean wasSuspended(long nowMonotonicMs, long nowWallMs) {
    long monotonic = nowMonotonicMs - acknowledged.monotonicMs;
    return nowWallMs - acknowledged.wallMs - monotonic > times.marginMs();
  }
}
