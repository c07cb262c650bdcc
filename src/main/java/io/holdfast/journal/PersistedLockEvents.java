package io.holdfast.journal;

import io.holdfast.lock.rules.LockEvent;
import io.holdfast.lock.rules.LockState;
import java.util.List;

/** The events of one decision about a lock. Manifest {@code lock.events.1}. */
public record PersistedLockEvents(List<LockEvent> events) implements PersistedEvent<LockState> {

  @Override
  public LockState after(LockState before) {
    LockState after = before;
    for (LockEvent event : events) {
      after = after.apply(event);
    }
    return after;
  }
}
