package io.holdfast.wire;

import akka.actor.typed.ActorRef;
import io.holdfast.id.Epoch;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import java.util.List;

/** A message to a lock's actor. */
public sealed interface LockMessage extends ShardMessage {

  /** A request of a caller, on this node or another one. */
  sealed interface Request extends LockMessage {}

  /**
   * Runs a command.
   *
   * @param number returned with the answer
   * @param lowestOpen the lowest request number that the session still waits for; 0 without a
   *     session
   * @param tellsPlace true to answer a request that has to wait with its position; the end of its
   *     wait is answered in any case
   */
  record Handle(
      LockCommand command,
      long number,
      long lowestOpen,
      boolean tellsPlace,
      ActorRef<LockAnswer> replyTo)
      implements Request {

    /** The timeout counts from the first sending of the request. */
    @Override
    public Handle after(long millis) {
      return command instanceof LockCommand.Acquire acquire
          ? new Handle(acquire.after(millis), number, lowestOpen, tellsPlace, replyTo)
          : this;
    }
  }

  /** A notice of its own node. Never leaves the node. */
  sealed interface Notice extends LockMessage {}

  /**
   * Runs a command for a deadline that has passed, or a lease that has ended. It has no answer.
   *
   * @param epoch the ownership of the keeper that sent it; a later keeper has set new deadlines
   */
  record Due(LockCommand command, Epoch epoch) implements Notice {}

  /**
   * Records the age of a grant. Its keeper measures the age when this message is decided, since a
   * renewal may come before.
   */
  record DueAge(FencingToken token) implements Notice {}

  /**
   * A batch of commands, decided in order and persisted together. Leaves the node only if all of
   * them may.
   */
  record CommandBatch(List<LockMessage> commands) implements Request {}
}
