package holdfast.entity;

import akka.actor.typed.Behavior;
import akka.actor.typed.BehaviorInterceptor;
import akka.actor.typed.PostStop;
import akka.actor.typed.Signal;
import akka.actor.typed.TypedActorContext;

/**
 * Notices that a lock's actor ends without having been asked to: it has failed. It stands around
 * the actor, which does not hear of its own end while it recovers.
 */
final class EndWatch extends BehaviorInterceptor<ShardMessage, ShardMessage> {

  private final Runnable whenFailed;
  private boolean asked;

  EndWatch(Runnable whenFailed) {
    super(ShardMessage.class);
    this.whenFailed = whenFailed;
  }

  @Override
  public Behavior<ShardMessage> aroundReceive(
      TypedActorContext<ShardMessage> context,
      ShardMessage message,
      ReceiveTarget<ShardMessage> to) {
    asked |= message == ShardMessage.Lifecycle.STOP;
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
