package io.holdfast.entity;

import akka.actor.typed.Behavior;
import akka.actor.typed.BehaviorInterceptor;
import akka.actor.typed.PostStop;
import akka.actor.typed.Signal;
import akka.actor.typed.TypedActorContext;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.time.Duration;

/**
 * Watches over the end of a shard's actor. It notices that one ends without having been asked to:
 * that one has failed. And it ends one that was asked to and does not, as when the log does not
 * answer: its shard could not move on. That one has failed as well: what it had on its way may
 * become true later, and only a next actor would tell the keeper. It stands around the actor, which
 * does not hear of its own end while it recovers, nor of anything while it writes.
 */
final class EndWatch extends BehaviorInterceptor<ShardMessage, ShardMessage> {

  private final Duration stopWithin;
  private final Runnable whenFailed;
  private boolean asked;

  EndWatch(Duration stopWithin, Runnable whenFailed) {
    super(ShardMessage.class);
    this.stopWithin = stopWithin;
    this.whenFailed = whenFailed;
  }

  @Override
  public Behavior<ShardMessage> aroundReceive(
      TypedActorContext<ShardMessage> context,
      ShardMessage message,
      ReceiveTarget<ShardMessage> to) {
    ActorContext<ShardMessage> actor = context.asJava();
    if (message == ShardMessage.Lifecycle.OVERDUE) {
      actor.getLog().warn("[{}] does not stop within [{}]", actor.getSelf(), stopWithin);
      whenFailed.run();
      return Behaviors.stopped();
    } else if (message == ShardMessage.Lifecycle.STOP && !asked) {
      asked = true;
      actor.scheduleOnce(stopWithin, actor.getSelf(), ShardMessage.Lifecycle.OVERDUE);
    }
    return to.apply(context, message);
  }

  @Override
  public Behavior<ShardMessage> aroundSignal(
      TypedActorContext<ShardMessage> context, Signal signal, SignalTarget<ShardMessage> to) {
    if (signal instanceof PostStop && !asked) {
      whenFailed.run();
    }
    return to.apply(context, signal);
  }
}
