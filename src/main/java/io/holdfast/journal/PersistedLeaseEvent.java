package io.holdfast.journal;

import io.holdfast.lease.LeaseEvent;
import io.holdfast.lease.LeaseState;

/** The event of one decision about a shared lease. Manifest {@code lease.event.1}. */
public record PersistedLeaseEvent(LeaseEvent event) implements PersistedEvent<LeaseState> {

  @Override
  public LeaseState after(LeaseState before) {
    return before.apply(event);
  }
}
