package io.holdfast.coordination;

import java.io.Serial;

/** The refusal of a change that an operator wanted. Nothing has changed. */
public final class AdminRefused extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  /** The kinds of reasons. */
  public enum Reason {
    NOT_LEADER,
    NO_LEADER,
    CHANGE_PENDING,
    NO_SUCH_MEMBER,
    MEMBER_EXISTS,
    NOT_ELIGIBLE,
    NOT_CAUGHT_UP,
    NOT_TAKEN_OVER,
    TOO_MANY_MEMBERS,
    OVERLOADED,
    STOPPING
  }

  private final Reason reason;

  AdminRefused(Reason reason, String message) {
    super(
        message,
        /* cause= */ null,
        /* enableSuppression= */ false,
        /* writableStackTrace= */ false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
