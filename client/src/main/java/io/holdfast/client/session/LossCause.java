package io.holdfast.client.session;

/** The cause of the loss of a grant. */
public enum LossCause {
  /** No renewal was acknowledged in time: others may hold the lock from now on. */
  DEADLINE_PASSED,

  /** The session has ended at the server, and all its grants with it. */
  SESSION_ENDED,

  /** The grant has ended at the server: it was taken by force, or it expired there. */
  TAKEN_AWAY,

  /** This client was closed. */
  CLIENT_CLOSED
}
