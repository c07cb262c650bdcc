package io.holdfast.coordination.following;

import akka.actor.AbstractActorWithTimers;
import akka.actor.ActorRef;
import akka.actor.ExtendedActorSystem;
import akka.actor.Props;
import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.state.SessionTimes;
import java.util.List;

/** The actor of a service that follows the log: {@link Following}, with Akka's timers. */
final class LogFollower extends AbstractActorWithTimers {

  private enum Signal {
    LOOK
  }

  private final Following following;
  private String known = "";
  private ActorRef actor = ActorRef.noSender();

  private LogFollower(CoordinationReplica replica, List<String> contacts, SessionTimes times) {
    following = new Following(replica, contacts, times, this::send, nowMs());
  }

  /**
   * Follows for this replica.
   *
   * @param contacts Akka addresses of nodes, one at least
   * @param times the times of the sessions
   */
  static Props props(CoordinationReplica replica, List<String> contacts, SessionTimes times) {
    return Props.create(LogFollower.class, () -> new LogFollower(replica, contacts, times));
  }

  @Override
  public void preStart() {
    getTimers().startTimerWithFixedDelay(Signal.LOOK, Signal.LOOK, Following.LOOK_EVERY);
    following.begin();
  }

  @Override
  public void postStop() {
    following.endOpen();
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(LogMessage.FromNode.class, message -> following.receive(origin(), message, nowMs()))
        .match(Following.Propose.class, asked -> following.propose(asked, nowMs()))
        .match(Following.CatchUp.class, asked -> following.catchUp(asked, nowMs()))
        .matchEquals(Signal.LOOK, signal -> following.look(nowMs()))
        .build();
  }

  private String origin() {
    return getSender().path().address().toString();
  }

  /* The reference has no number of a process, so that it is of any process at that address. */
  private void send(String node, LogMessage.ToNode message) {
    if (!node.equals(known)) {
      known = node;
      actor =
          ((ExtendedActorSystem) getContext().getSystem())
              .provider()
              .resolveActorRef(node + "/system/" + LogMessage.ACTOR);
    }
    actor.tell(message, getSelf());
  }

  private static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }
}
