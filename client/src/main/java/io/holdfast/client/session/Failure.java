package io.holdfast.client.session;

import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;

/** Why an operation has no answer, and what is known of its effect. */
public sealed interface Failure {

  /** The server refused it, without effect, unless it is {@link #isForgotten forgotten}. */
  record Refused(Refusal refusal) implements Failure {

    /**
     * True if it was refused for want of room or of time, and not for what it is: another attempt,
     * also an earlier one, may not be.
     */
    public boolean isPassing() {
      return RefusalRules.isPassing(refusal);
    }
  }

  /** It certainly had no effect. */
  record Unavailable(String message) implements Failure {}

  /** It may have had an effect, or may still. */
  record Indeterminate(String message) implements Failure {}

  /**
   * True if the server has forgotten its outcome. Then it may have had its effect before; it
   * neither waits nor holds now, and no copy of it begins any more.
   */
  default boolean isForgotten() {
    return this instanceof Refused refused
        && refused.refusal().getReason() == Reason.REASON_REQUEST_FORGOTTEN;
  }
}
