package io.holdfast.simulation.cluster;

import io.holdfast.id.ShardId;
import io.holdfast.lock.Holder;
import io.holdfast.lock.rules.GrantEnding;
import io.holdfast.lock.rules.LockEvent;
import java.util.Optional;

/**
 * One event of one lock as it took its place in the log.
 *
 * @param shard the shard of the lock
 */
record Step(ShardId shard, String key, LockEvent event, Row before, Row after) {

  /** A grant that ended, and how. */
  record Ended(Holder holder, GrantEnding ending) {}

  /** The holder that is granted the lock by it. */
  Optional<Holder> granted() {
    if (event instanceof LockEvent.Granted granted) {
      return Optional.of(granted.holder());
    }
    return handedOver().map(LockEvent.HandedOver::next);
  }

  Optional<LockEvent.HandedOver> handedOver() {
    return event instanceof LockEvent.HandedOver over ? Optional.of(over) : Optional.empty();
  }

  Optional<LockEvent.Freed> freed() {
    return event instanceof LockEvent.Freed freed ? Optional.of(freed) : Optional.empty();
  }

  /** The token of the grant that ends with it; 0 if none does. */
  long endedToken() {
    return freed()
        .map(freed -> freed.token().value())
        .or(() -> handedOver().map(over -> over.token().value()))
        .orElse(0L);
  }

  /** The grant that ends with it. */
  Optional<Ended> ended() {
    Holder holder = before.holder();
    return holder == null
        ? Optional.empty()
        : freed()
            .map(LockEvent.Freed::ending)
            .or(() -> handedOver().map(LockEvent.HandedOver::ending))
            .map(ending -> new Ended(holder, ending));
  }
}
