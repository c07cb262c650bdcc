package holdfast.client.session;

import holdfast.v1.Operation;

/** An operation without a final answer. */
final class Pending {

  /** On no stream: not sent yet, or to be sent again. */
  static final int NOWHERE = -1;

  final long number;
  final String key;
  final Operation operation;
  final Reply reply;
  final long giveUpAt;

  /** A number that must stay open as long as this one. 0: none. */
  final long refersTo;

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

  Pending(long number, String key, Operation operation, Reply reply, long giveUpAt, long refersTo) {
    this.number = number;
    this.key = key;
    this.operation = operation;
    this.reply = reply;
    this.giveUpAt = giveUpAt;
    this.refersTo = refersTo;
  }

  boolean mayHaveEffect() {
    return inTheDark || (wasSent && node != NOWHERE);
  }
}
