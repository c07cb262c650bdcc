package io.holdfast.client.session;

import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;

/** The reason for which an operation has no answer, with its effect as far as it is known. */
public sealed interface Failure {

  /** The server refused it, without effect, unless it is {@link #isForgotten forgotten}. */
  record Refused(Refusal refusal) implements Failure {

    /**
     * True if it was refused because of a limit or an unavailable node, not because of its content:
     * another attempt, also an earlier one, may succeed.
     */
    public boolean isPassing() {
      return RefusalRules.isPassing(refusal);
    }
  }

  /** It certainly had no effect. */
  record Unavailable(String message) implements Failure {}

  /** It may have had an effect, or may still have one. */
  record Indeterminate(String message) implements Failure {}

  /**
   * True if the server has forgotten its outcome. Then it may have had its effect before. It
   * neither waits nor holds now, and no copy of it is executed any more.
   */
  default boolean isForgotten() {
    return this instanceof Refused refused
        && refused.refusal().getReason() == Reason.REASON_REQUEST_FORGOTTEN;
  }
}
