package io.holdfast.grpc.session;

import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Answer;
import io.holdfast.v1.Reason;

/**
 * An answer of a session without its large part, the holder of the lock; the client can read it
 * later. An answer that consists of nothing else becomes a refusal.
 */
final class ShortAnswer {

  private ShortAnswer() {}

  /** True if the answer may be large. */
  static boolean isNeeded(Answer.Builder answer) {
    return switch (answer.getAnswerCase()) {
      case LOCK -> answer.getLock().hasHolder();
      case REFUSED -> answer.getRefused().hasHolder();
      case VALIDATE -> answer.getValidate().hasHolder();
      case GET_LOCK -> true;
      default -> false;
    };
  }

  /** Shortens the answer. */
  static Answer.Builder of(Answer.Builder answer) {
    switch (answer.getAnswerCase()) {
      case LOCK -> answer.getLockBuilder().clearHolder();
      case REFUSED -> answer.getRefusedBuilder().clearHolder();
      default ->
          answer.setRefused(
              StatusMapping.refusal(
                  StatusMapping.error(
                      Reason.REASON_OVERLOADED, "the node has no room for the answer")));
    }
    return answer;
  }
}
