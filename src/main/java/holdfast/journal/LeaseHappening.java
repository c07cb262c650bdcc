package holdfast.journal;

import holdfast.lease.LeaseEvent;
import holdfast.lease.LeaseState;

/** The event of one decision about a shared lease. Manifest {@code lease.event.1}. */
public record LeaseHappening(LeaseEvent event) implements Persisted<LeaseState> {

  @Override
  public LeaseState after(LeaseState before) {
    return before.apply(event);
  }
}
