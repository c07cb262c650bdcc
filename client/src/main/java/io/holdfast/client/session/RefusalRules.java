package io.holdfast.client.session;

import io.holdfast.v1.Effect;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;

/** The rules by which a client reads the reason of a refusal. */
final class RefusalRules {

  private static final int FIRST_LIMIT = 60; // enum Reason: limits, then availability
  private static final int FIRST_AVAILABILITY = 80;

  private RefusalRules() {}

  /** True if the operation is not sent again. */
  static boolean isFinal(Refusal refusal) {
    return refusal.getReason() == Reason.REASON_REQUEST_FORGOTTEN
        || (refusal.getEffect() == Effect.EFFECT_NONE && !isWorthRepeating(refusal));
  }

  /** True if the same operation may have another answer soon. */
  private static boolean isWorthRepeating(Refusal refusal) {
    return refusal.getReasonValue() >= FIRST_AVAILABILITY
        || refusal.getReason() == Reason.REASON_OVERLOADED
        || refusal.getReason() == Reason.REASON_TOO_MANY_OPEN_OPERATIONS;
  }

  /** True if the reason is a limit or an unavailable node, and not the state of the lock. */
  static boolean isPassing(Refusal refusal) {
    return refusal.getReasonValue() >= FIRST_LIMIT;
  }

  /** True if the session has ended. */
  static boolean isOfTheSession(Refusal refusal) {
    Reason reason = refusal.getReason();
    return reason == Reason.REASON_SESSION_NOT_FOUND || reason == Reason.REASON_LEASE_NOT_FOUND;
  }

  /** True if another node may serve the operation. */
  static boolean isOfTheNode(Refusal refusal) {
    Reason reason = refusal.getReason();
    return reason == Reason.REASON_NO_MAJORITY
        || reason == Reason.REASON_NOT_READY
        || reason == Reason.REASON_LEAVING
        || reason == Reason.REASON_OVERLOADED;
  }
}
