package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import java.util.List;

/** What a lock's actor is sent. */
public sealed interface LockMessage extends ShardMessage {

  /** What others ask of it, from this node or another one. */
  sealed interface Request extends LockMessage {}

  /**
   * Do this.
   *
   * @param number given back with the answer
   * @param lowestOpen the lowest number that the asking session still waits for; 0 without one
   * @param tellsPlace whether a request that has to wait is told its place in the line; the end of
   *     its waiting is told in any case
   */
  record Handle(
      LockCommand command,
      long number,
      long lowestOpen,
      boolean tellsPlace,
      ActorRef<LockAnswer> replyTo)
      implements Request {

    /** Patience counts from when the request was sent first. */
    @Override
    public Handle after(long millis) {
      return command instanceof LockCommand.Acquire acquire
          ? new Handle(acquire.after(millis), number, lowestOpen, tellsPlace, replyTo)
          : this;
    }
  }

  /** What it is told by its own node and its shard. Never leaves the node. */
  sealed interface Notice extends LockMessage {}

  /**
   * Time has passed, or a lease has ended: do this. Nobody waits for an answer.
   *
   * @param epoch of the ownership whose keeper says so: the keeper of a later one has given new
   *     time
   */
  record Due(LockCommand command, long epoch) implements Notice {}

  /**
   * Write down how much of this grant's own ttl has passed, as its keeper measures it when this is
   * decided: a renewal may have come since this was sent.
   */
  record DueAge(FencingToken token) implements Notice {}

  /**
   * These, in their order, and what comes of them is persisted together. Leaves the node only if
   * all of them may.
   */
  record Together(List<LockMessage> commands) implements Request {}
}
