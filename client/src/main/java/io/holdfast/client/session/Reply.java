package io.holdfast.client.session;

import io.holdfast.v1.Answer;

/** The listener of one operation. Exactly one of the final methods is called, once. */
interface Reply {

  /** Not final: the request waits in the queue. */
  default void onQueued() {}

  /** Final: answered. */
  void onAnswer(Answer answer, long firstSentNanos, long now);

  /** Final: refused or timed out. */
  void onFailure(Failure failure, long now);

  /** Final: its session has ended, with all its grants. */
  void onSessionEnded(long now);
}
