package io.holdfast.entity;

import akka.actor.typed.Behavior;
import akka.actor.typed.BehaviorInterceptor;
import akka.actor.typed.PostStop;
import akka.actor.typed.Signal;
import akka.actor.typed.TypedActorContext;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;

/**
 * Watches the termination of a shard's actor. An actor that stops without being asked has failed.
 * An actor that was asked and does not stop, as when the log does not answer, is stopped, since its
 * shard could not move. It has failed as well: a write in flight may still commit, and only a next
 * actor would tell the keeper. This interceptor is around the actor, which gets no signal of its
 * own end while it recovers, and no message while it writes.
 */
final class TerminationWatch extends BehaviorInterceptor<ShardMessage, ShardMessage> {

  private final Duration stopWithin;
  private final Runnable whenFailed;
  private boolean asked;

  TerminationWatch(Duration stopWithin, Runnable whenFailed) {
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
