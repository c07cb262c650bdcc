package io.holdfast.client;

/** The reason for which a grant was lost. */
public enum LossReason {
  /** No renewal was acknowledged in time: others may hold the lock from now on. */
  DEADLINE_PASSED,

  /** The session has ended at the server, and all its grants with it. */
  SESSION_ENDED,

  /** The grant has ended at the server: it was taken by force, or it expired there. */
  TAKEN_AWAY,

  /** The client was closed. */
  CLIENT_CLOSED;

  static LossReason of(io.holdfast.client.session.LossCause reason) {
    return valueOf(reason.name());
  }
}
