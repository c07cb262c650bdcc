package io.holdfast.lock.rules;

import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestId;

/** Records the outcomes of requests, where copies may come. */
record OutcomeRecorder(BatchBuilder batch, EarlierOutcomes earlier, CapacityCheck capacity) {

  void record(RequestId request, RecordedOutcome outcome) {
    if (earlier.isKept(request)) {
      batch.record(request, outcome);
    }
  }

  /**
   * Records the outcome of a command that must not have its effect twice. Its client may be unable
   * to repeat it, but its node may have sent copies. Without room for the record, there is none.
   */
  void recordForCopies(RequestId request, RecordedOutcome outcome) {
    if (earlier.isKnown(request)
        && (request.isRepeatable() || (capacity.hasRoom(request) && capacity.hasReserve()))) {
      batch.record(request, outcome);
    }
  }

  /** Records an outcome that changed nothing. */
  void recordUnchanged(RequestId request, RecordedOutcome outcome) {
    if (!earlier.isKnown(request)) {
      return;
    }
    capacity.requireReserve();
    if (request.keptBy().isEmpty()) {
      capacity.requireRoom(request);
    }
    batch.apply(new LockEvent.Barred(request));
    batch.record(request, outcome);
  }

  /** True if every copy of a request gets this outcome. */
  boolean isKept(LockCommand.Acquire acquire, Outcome outcome) {
    RequestId request = acquire.request().id();
    return earlier.recorded(request).isPresent()
        || !earlier.isKnown(request) // a copy finds what it holds, or is refused
        || (outcome instanceof Outcome.Refused refused && isPermanent(refused.refusal()));
  }

  /** True if no copy of the request can get another outcome. */
  private static boolean isPermanent(Refusal refusal) {
    return isOf(refusal, Refusal.RequestReused.class)
        || isOf(refusal, Refusal.RequestForgotten.class)
        || isOf(refusal, Refusal.LeaseGone.class);
  }

  /** Tests by class: an instanceof ladder over the refusals would have to name them all. */
  private static boolean isOf(Refusal refusal, Class<? extends Refusal> kind) {
    return kind.isInstance(refusal);
  }

  /**
   * Ends the wait of a request. For a request without an id, its node asks for the recorded
   * outcome.
   */
  void endWait(RequestId request, Outcome outcome) {
    boolean kept = earlier.recorded(request).isPresent() || !earlier.isKnown(request);
    batch.endWait(request, outcome, kept);
  }
}
