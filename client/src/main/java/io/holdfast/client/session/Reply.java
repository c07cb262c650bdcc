package io.holdfast.client.session;

import io.holdfast.v1.Answer;

/** The listener of one operation. Exactly one of the final methods is called, once. */
interface Reply {

  /** Not final: it stands in line. */
  default void onQueued() {}

  /** Final: answered. */
  void onAnswer(Answer answer, long firstSentNanos, long now);

  /** Final: refused, or given up. */
  void onFailure(Failure failure, long now);

  /** Final: its session has ended, and all that was granted in it. */
  void onSessionEnded(long now);
}
