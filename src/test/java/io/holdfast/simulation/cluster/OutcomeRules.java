package io.holdfast.simulation.cluster;

import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;

/** The rules by which simulated clients read requests and outcomes. */
final class OutcomeRules {

  private OutcomeRules() {}

  /** Its number in its session; 0 if it has a name instead. */
  static long numberOf(RequestHeader request) {
    return request.id() instanceof RequestId.Numbered numbered ? numbered.number() : 0;
  }

  static boolean isNoToken(Outcome outcome) {
    return outcome instanceof Outcome.Refused refused
        && refused.refusal() instanceof Refusal.NoToken;
  }

  /** True if nothing was done, and what is to be given back is to be sent again. */
  static boolean isPassing(Outcome outcome) {
    return isNoToken(outcome)
        || (outcome instanceof Outcome.Refused refused
            && refused.refusal() instanceof Refusal.LimitReached);
  }
}
