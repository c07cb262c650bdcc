package io.holdfast.wire;

import akka.actor.typed.ActorRef;
import io.holdfast.id.Epoch;
import io.holdfast.lease.LeaseCommand;

/** A message to a lease's actor. */
public sealed interface LeaseMessage extends ShardMessage {

  /**
   * Runs a command.
   *
   * @param number returned with the answer
   */
  record Handle(LeaseCommand command, long number, ActorRef<LeaseAnswer> replyTo)
      implements LeaseMessage {}

  /**
   * Tells that its ttl has passed. Never leaves the node.
   *
   * @param epoch as of {@link LockMessage.Due}
   */
  record Due(LeaseCommand.Expire command, Epoch epoch) implements LeaseMessage {}
}
