package io.holdfast.lock.rules;

import io.holdfast.id.LeaseLife;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestId;
import java.util.Optional;

/** Checks that the limits beyond one lock have room for a command. */
record CapacityCheck(Limits limits, BatchBuilder batch) {

  /** Thrown in the middle of a decision, when the command is refused after all. */
  static final class Rejected extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Refusal why;

    Rejected(Refusal why) {
      super(why.toString(), null, false, false);
      this.why = why;
    }

    Refusal why() {
      return why;
    }

    /** Without room the outcome is not recorded, but while that lasts no copy gets room either. */
    boolean hasNoRoom() {
      return why instanceof Refusal.LimitReached reached
          && (reached.limit() == Refusal.Limit.REQUEST_IDS
              || reached.limit() == Refusal.Limit.STATE);
    }
  }

  static Rejected noToken() {
    return new Rejected(new Refusal.NoToken());
  }

  /** Returns a refusal if the whole state is full. */
  Optional<Refusal> stateFull() {
    return limits.state().stream().<Refusal>mapToObj(CapacityCheck::full).findFirst();
  }

  private static Refusal full(int max) {
    return new Refusal.LimitReached(Refusal.Limit.STATE, max);
  }

  /** Returns a refusal if the lease has as many locks as it may. */
  Optional<Refusal> leaseFull(Lifetime life) {
    return life.lease()
        .filter(lease -> !hangsOn(lease))
        .flatMap(lease -> limits.keysOn(lease).stream().boxed().findFirst())
        .map(max -> new Refusal.LimitReached(Refusal.Limit.KEYS_ON_LEASE, max));
  }

  private boolean hangsOn(LeaseLife lease) {
    return batch.state().holders().stream().anyMatch(holder -> holder.life().isOn(lease))
        || batch.state().waiters().hangsOn(lease);
  }

  boolean hasReserve() {
    return limits.reserve().isEmpty();
  }

  void requireReserve() {
    limits
        .reserve()
        .ifPresent(
            max -> {
              throw new Rejected(full(max));
            });
  }

  /* Checked only for the sender of the command: outcomes of other requests are always recorded. */
  void require(RequestId request) {
    if (request.isRepeatable() && request.keptBy().isEmpty()) {
      requireRoom(request);
    }
  }

  void requireRoom(RequestId request) {
    limits
        .requestIds(request, batch.recordedBefore(request.client()))
        .ifPresent(
            max -> {
              throw new Rejected(new Refusal.LimitReached(Refusal.Limit.REQUEST_IDS, max));
            });
  }

  /** True if there is room for the outcome of a request that its client cannot repeat. */
  boolean hasRoom(RequestId request) {
    return limits.requestIds(request, batch.recordedBefore(request.client())).isEmpty();
  }
}
