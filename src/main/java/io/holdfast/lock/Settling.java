package io.holdfast.lock;

/** Keeps what requests come to, of those of which it is to be kept. */
record Settling(Unfolding now, Earlier earlier, Room room) {

  void settle(RequestId request, Settled settled) {
    if (earlier.isKept(request)) {
      now.settle(request, settled);
    }
  }

  /**
   * Keeps the outcome of what must not be done twice, though its client cannot repeat it: its node
   * may have. Where there is no room, that is done without.
   */
  void settleForCopies(RequestId request, Settled settled) {
    if (earlier.isKnown(request)
        && (request.isRepeatable() || (room.hasPlace(request) && room.hasReserve()))) {
      now.settle(request, settled);
    }
  }

  /** Keeps an outcome that changed nothing, of any kind of request that can have one. */
  void bar(RequestId request, Settled settled) {
    if (!earlier.isKnown(request)) {
      return;
    }
    room.requireReserve();
    if (request.keptBy().isEmpty()) {
      room.requirePlace(request);
    }
    now.happened(new LockEvent.Barred(request));
    now.settle(request, settled);
  }

  /** True if every copy of a request has this outcome. */
  boolean isKept(LockCommand.Acquire acquire, Outcome outcome) {
    RequestId request = acquire.request().id();
    return earlier.settled(request).isPresent()
        || !earlier.isKnown(request) // a copy finds what it holds, or is refused
        || (outcome instanceof Outcome.Refused refused && isForEver(refused.refusal()));
  }

  /** True if no copy of the request can be decided in another way. */
  private static boolean isForEver(Refusal refusal) {
    return isOf(refusal, Refusal.RequestReused.class)
        || isOf(refusal, Refusal.RequestForgotten.class)
        || isOf(refusal, Refusal.LeaseGone.class);
  }

  /** Asked by class: a ladder over the refusals would have to name them all. */
  private static boolean isOf(Refusal refusal, Class<? extends Refusal> kind) {
    return kind.isInstance(refusal);
  }

  /** The waiting of a request is over. Of one without an id, its node asks what is kept. */
  void waited(RequestId request, Outcome outcome) {
    boolean kept = earlier.settled(request).isPresent() || !earlier.isKnown(request);
    now.waited(request, outcome, kept);
  }
}
