package io.holdfast.journal;

import io.holdfast.lease.rules.LeaseEvent;
import io.holdfast.lease.rules.LeaseState;

/** The event of one decision about a shared lease. Manifest {@code lease.event.1}. */
public record PersistedLeaseEvent(LeaseEvent event) implements PersistedEvent<LeaseState> {

  @Override
  public LeaseState after(LeaseState before) {
    return before.apply(event);
  }
}
