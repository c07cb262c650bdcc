package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import io.holdfast.lease.LeaseCommand;

/** What a lease's actor is sent. */
public sealed interface LeaseMessage extends ShardMessage {

  /**
   * Do this.
   *
   * @param number given back with the answer
   */
  record Handle(LeaseCommand command, long number, ActorRef<LeaseAnswer> replyTo)
      implements LeaseMessage {}

  /**
   * Its time has passed. Never leaves the node.
   *
   * @param epoch as of {@link LockMessage.Due}
   */
  record Due(LeaseCommand.Expire command, long epoch) implements LeaseMessage {}
}
