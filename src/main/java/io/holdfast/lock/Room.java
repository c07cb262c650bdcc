package io.holdfast.lock;

import java.util.Optional;

/** The room that there is for what commands ask for, by the bounds beyond one lock. */
record Room(Limits limits, Unfolding now) {

  /** The command cannot be carried out, for a reason that is found on the way. */
  static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Refusal why;

    Stopped(Refusal why) {
      super(why.toString(), null, false, false);
      this.why = why;
    }

    Refusal why() {
      return why;
    }
  }

  /** The refusal of whoever asks for more once all that is kept has reached its bound. */
  Optional<Refusal> stateFull() {
    return limits.state().stream().<Refusal>mapToObj(Room::full).findFirst();
  }

  private static Refusal full(int max) {
    return new Refusal.LimitReached(Refusal.Limit.STATE, max);
  }

  /** The refusal of one more lock that hangs on a lease, if it has as many as it may. */
  Optional<Refusal> leaseFull(Life life) {
    return life.lease()
        .filter(lease -> !hangsOn(lease))
        .flatMap(lease -> limits.keysOn(lease).stream().boxed().findFirst())
        .map(max -> new Refusal.LimitReached(Refusal.Limit.KEYS_ON_LEASE, max));
  }

  private boolean hangsOn(LeaseLife lease) {
    return now.state().holders().stream().anyMatch(holder -> holder.life().isOn(lease))
        || now.state().waiters().hangsOn(lease);
  }

  boolean hasReserve() {
    return limits.reserve().isEmpty();
  }

  void requireReserve() {
    limits
        .reserve()
        .ifPresent(
            max -> {
              throw new Stopped(full(max));
            });
  }

  /* Only for who asks now: what others came to is kept, whoever has how much of that. */
  void require(RequestId request) {
    if (request.isRepeatable() && request.keptBy().isEmpty()) {
      requirePlace(request);
    }
  }

  void requirePlace(RequestId request) {
    limits
        .requestIds(request, now.settledBefore(request.client()))
        .ifPresent(
            max -> {
              throw new Stopped(new Refusal.LimitReached(Refusal.Limit.REQUEST_IDS, max));
            });
  }

  /** True if an outcome can be kept of a request that its client cannot repeat. */
  boolean hasPlace(RequestId request) {
    return limits.requestIds(request, now.settledBefore(request.client())).isEmpty();
  }
}
