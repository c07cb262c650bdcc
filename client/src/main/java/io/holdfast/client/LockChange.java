package io.holdfast.client;

import io.holdfast.v1.Event;
import java.util.List;

/**
 * One public change of one lock.
 *
 * @param key the lock
 * @param revision the number of the change in the cluster
 * @param cause the cause of the change
 * @param holders the holders after the change; empty if it is free
 * @param forceReason the operator's reason of a forced release; empty otherwise
 */
public record LockChange(
    String key, long revision, Cause cause, List<LockStatus.Holder> holders, String forceReason) {

  /** The cause of a change. */
  public enum Cause {
    GRANTED,
    HANDED_OVER,
    RELEASED,
    EXPIRED,
    REVOKED,
    FORCED,

    /** A cause that only a newer client knows. */
    CHANGED
  }

  public LockChange {
    holders = List.copyOf(holders);
  }

  public boolean isFree() {
    return holders.isEmpty();
  }

  static LockChange of(Event event) {
    Cause cause =
        switch (event.getCause()) {
          case CAUSE_GRANTED -> Cause.GRANTED;
          case CAUSE_HANDED_OVER -> Cause.HANDED_OVER;
          case CAUSE_RELEASED -> Cause.RELEASED;
          case CAUSE_EXPIRED -> Cause.EXPIRED;
          case CAUSE_REVOKED -> Cause.REVOKED;
          case CAUSE_FORCED -> Cause.FORCED;
          default -> Cause.CHANGED;
        };
    String key = event.getLock().getKey();
    return new LockChange(
        key,
        event.getLock().getModRevision(),
        cause,
        LockStatus.of(key, event.getLock(), /* waiterCount= */ 0).holders(),
        event.getForceReason());
  }
}
