package io.holdfast.client.session;

import io.holdfast.v1.Operation;

/** An operation without a final answer. */
final class Pending {

  /** The state of an operation on no stream: not sent yet, or to be resent. */
  static final int NOWHERE = -1;

  final long number;
  final String key;
  final Operation operation;
  final Reply reply;

  /** True for a release or a cancel: it has no timeout, and is resent. */
  final boolean isOwed;

  /** True if the end of the session has the same effect. */
  final boolean endsWithSession;

  /** A number that must stay open as long as this one; 0 for none. */
  final long refersTo;

  /** The time when it fails, or when a release or cancel is resent. */
  long giveUpAt;

  /** The node on whose stream it was sent. */
  int node = NOWHERE;

  /** True if an answer has shown that it waits in the queue: no later operation can overtake it. */
  boolean waits;

  /** True if the outcome of an attempt is unknown. */
  boolean inTheDark;

  boolean wasSent;
  long firstSentAt;
  long notBefore;
  int failures;

  private Pending(
      Operation operation,
      String key,
      Reply reply,
      boolean isOwed,
      boolean endsWithSession,
      long refersTo,
      long giveUpAt) {
    this.number = operation.getNumber();
    this.key = key;
    this.operation = operation;
    this.reply = reply;
    this.isOwed = isOwed;
    this.endsWithSession = endsWithSession;
    this.refersTo = refersTo;
    this.giveUpAt = giveUpAt;
  }

  /** Creates an operation with a timeout. */
  static Pending asked(Operation operation, String key, Reply reply, long giveUpAt) {
    return new Pending(operation, key, reply, false, false, 0, giveUpAt);
  }

  /** Creates an operation that is retried until it is answered. */
  static Pending owed(
      Operation operation,
      String key,
      Reply reply,
      long refersTo,
      boolean endsWithSession,
      long againAt) {
    return new Pending(operation, key, reply, true, endsWithSession, refersTo, againAt);
  }

  /** True if it was refused, and it is too early to send it again. */
  boolean isBackingOff(long now) {
    return failures > 0 && notBefore - now > 0;
  }

  boolean mayHaveEffect() {
    return inTheDark || (wasSent && node != NOWHERE);
  }
}
