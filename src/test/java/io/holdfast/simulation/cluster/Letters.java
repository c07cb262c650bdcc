package io.holdfast.simulation.cluster;

import akka.actor.typed.ActorRef;
import io.holdfast.wire.LeaseMessage;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.RenewalMessage;
import io.holdfast.wire.ReplyTo;
import io.holdfast.wire.ShardMessage;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The messages of one member to actors and keepers of nodes, and the way back of the answers. */
final class Letters {

  private final AkkaMember sender;

  Letters(AkkaMember sender) {
    this.sender = sender;
  }

  /** Sends this to an actor; lost if nobody is known to run it. */
  void tell(@Nullable ClusterTenant owner, String name, ShardMessage message) {
    if (owner != null) {
      ShardMessage sent = answeredBy(owner, message);
      sender.locks().send(sender, owner, sent, () -> owner.receive(name, sent));
    }
  }

  private ShardMessage answeredBy(ClusterTenant owner, ShardMessage message) {
    if (message instanceof LockMessage.Handle handle) {
      return answeredBy(owner, handle);
    } else if (message instanceof LeaseMessage.Handle handle) {
      return new LeaseMessage.Handle(
          handle.command(), handle.number(), wayBack(owner, handle.replyTo()));
    }
    throw new AssertionError(message);
  }

  /** The same, with an answer that comes from there. */
  LockMessage.Handle answeredBy(ClusterTenant owner, LockMessage.Handle message) {
    return new LockMessage.Handle(
        message.command(),
        message.number(),
        message.lowestOpen(),
        message.tellsPlace(),
        wayBack(owner, message.replyTo()));
  }

  private <A> ActorRef<A> wayBack(ClusterTenant owner, ActorRef<A> replyTo) {
    return new ReplyTo<>(
        answer -> sender.locks().send(owner, sender, answer, () -> replyTo.tell(answer)));
  }

  /** Sends keepalives to the keepers of a node. */
  void keepalives(
      String address,
      List<RenewalMessage.Item> items,
      Consumer<List<RenewalMessage.Answered>> answered) {
    ClusterLocks locks = sender.locks();
    ClusterTenant to = locks.tenantInAkka(address);
    if (to != null) {
      locks.send(
          sender,
          to,
          "keepalives",
          () ->
              to.locksHere()
                  .judge(
                      items,
                      answers ->
                          locks.send(
                              to, sender, "keepalives answered", () -> answered.accept(answers))));
    }
  }
}
