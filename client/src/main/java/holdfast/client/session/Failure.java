package holdfast.client.session;

import holdfast.v1.Refusal;

/** Why an operation has no answer, and what is known of its effect. */
public sealed interface Failure {

  /** The server refused it, without effect. */
  record Refused(Refusal refusal) implements Failure {}

  /** It certainly had no effect. */
  record Unavailable(String message) implements Failure {}

  /** It may have had an effect, or may still. */
  record Indeterminate(String message) implements Failure {}
}
