package io.holdfast.client.session;

import io.holdfast.v1.Operation;

/** An operation without a final answer. */
final class Pending {

  /** On no stream: not sent yet, or to be sent again. */
  static final int NOWHERE = -1;

  final long number;
  final String key;
  final Operation operation;
  final Reply reply;

  /** It gives something back: it is never given up, but sent again. */
  final boolean isOwed;

  /** The end of the session does the same. */
  final boolean endsWithSession;

  /** A number that must stay open as long as this one. 0: none. */
  final long refersTo;

  /** The time when it is given up, or sent again if it is owed. */
  long giveUpAt;

  /** On whose stream it is out. */
  int node = NOWHERE;

  /** An answer has said that it waits in line: nothing later can overtake it. */
  boolean waits;

  /** An attempt went out whose fate is not known. */
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

  /** Asked until it is answered, or nobody waits for the answer any more. */
  static Pending asked(Operation operation, String key, Reply reply, long giveUpAt) {
    return new Pending(operation, key, reply, false, false, 0, giveUpAt);
  }

  /** Asked until it is answered. */
  static Pending owed(
      Operation operation,
      String key,
      Reply reply,
      long refersTo,
      boolean endsWithSession,
      long againAt) {
    return new Pending(operation, key, reply, true, endsWithSession, refersTo, againAt);
  }

  boolean mayHaveEffect() {
    return inTheDark || (wasSent && node != NOWHERE);
  }
}
