package io.holdfast.coordination.hosting;

import akka.actor.AbstractActorWithTimers;
import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.actor.Props;
import io.holdfast.coordination.NodeCoordination;
import io.holdfast.coordination.following.LogMessage;
import java.time.Duration;

/** The actor of a node at which services follow the log: {@link Followers}, with Akka's timers. */
public final class FollowersActor extends AbstractActorWithTimers {

  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** An action that another thread has queued. */
  private record Step(Runnable action) {}

  private enum Signal {
    LOOK
  }

  private final Followers<ActorRef> followers;
  private Runnable stopListening = () -> {};

  private FollowersActor(NodeCoordination coordination) {
    ActorRef self = getSelf();
    followers =
        new Followers<>(
            coordination,
            action -> self.tell(new Step(action), ActorRef.noSender()),
            (to, message) -> to.tell(message, self));
  }

  /** Starts the actor of a node whose log runs. */
  public static void open(ActorSystem system, NodeCoordination coordination) {
    var unused =
        ((ExtendedActorSystem) system)
            .systemActorOf(
                Props.create(FollowersActor.class, () -> new FollowersActor(coordination)),
                LogMessage.ACTOR);
  }

  @Override
  public void preStart() {
    stopListening = followers.listen();
    getTimers().startTimerWithFixedDelay(Signal.LOOK, Signal.LOOK, LOOK_EVERY);
  }

  @Override
  public void postStop() {
    stopListening.run();
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(Step.class, step -> step.action.run())
        .match(LogMessage.ToNode.class, message -> followers.receive(getSender(), message, nowMs()))
        .matchEquals(Signal.LOOK, signal -> followers.look(nowMs()))
        .build();
  }

  private static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }
}
