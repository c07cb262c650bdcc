package io.holdfast.lease.rules;

import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.RequestHeader;
import org.jspecify.annotations.Nullable;

/**
 * One shared lease: alive, or not there. Its incarnation is the revision of its grant, and known
 * only after that.
 *
 * @param terms null if the lease is not alive
 * @param request the one that it was granted to; null if it is not alive
 */
public record LeaseState(@Nullable LeaseTerms terms, @Nullable RequestHeader request) {

  public static final LeaseState NONE = new LeaseState(null, null);

  public boolean isAlive() {
    return terms != null;
  }

  /** The state after an event. */
  public LeaseState apply(LeaseEvent event) {
    return event.match(
        new LeaseEvent.Cases<>() {
          @Override
          public LeaseState granted(LeaseEvent.Granted granted) {
            if (isAlive()) {
              throw new IllegalStateException("a lease that lives was granted [" + granted + "]");
            }
            return new LeaseState(granted.terms(), granted.request());
          }

          @Override
          public LeaseState ended(LeaseEvent.Ended ended) {
            if (!isAlive()) {
              throw new IllegalStateException("a lease ended that is not alive [" + ended + "]");
            }
            return NONE;
          }
        });
  }
}
