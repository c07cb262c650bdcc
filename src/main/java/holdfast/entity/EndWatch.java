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
final class EndWatch extends BehaviorInterceptor<LockMessage, LockMessage> {

  private final Runnable whenFailed;
  private boolean asked;

  EndWatch(Runnable whenFailed) {
    super(LockMessage.class);
    this.whenFailed = whenFailed;
  }

  @Override
  public Behavior<LockMessage> aroundReceive(
      TypedActorContext<LockMessage> context, LockMessage message, ReceiveTarget<LockMessage> to) {
    asked |= message instanceof LockMessage.Stop;
    return to.apply(context, message);
  }

  @Override
  public Behavior<LockMessage> aroundSignal(
      TypedActorContext<LockMessage> context, Signal signal, SignalTarget<LockMessage> to) {
    if (signal instanceof PostStop && !asked) {
      whenFailed.run();
    }
    return to.apply(context, signal);
  }
}
