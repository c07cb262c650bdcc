package io.holdfast.coordination.following;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.member.MemberLog;
import io.holdfast.coordination.state.SessionTimes;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The log of a service: it follows at one of the nodes, and has the entries of coordination only.
 * It never leads or votes.
 */
public final class DistantLog implements MemberLog {

  private final Consumer<Following.Question> follower;

  /**
   * Creates the log of a service.
   *
   * @param follower sends requests to the actor that follows
   */
  DistantLog(Consumer<Following.Question> follower) {
    this.follower = follower;
  }

  /**
   * Follows for this replica, in an actor of its own, for as long as the actor system runs.
   *
   * @param contacts Akka addresses of nodes, one at least
   * @param times the times of the sessions
   */
  public static MemberLog open(
      ActorSystem system, CoordinationReplica replica, List<String> contacts, SessionTimes times) {
    ActorRef follower =
        ((ExtendedActorSystem) system)
            .systemActorOf(LogFollower.props(replica, contacts, times), "holdfast-log-follower");
    return new DistantLog(question -> follower.tell(question, ActorRef.noSender()));
  }

  @Override
  public CompletionStage<LogMessage.Became> propose(byte[] payload) {
    CompletableFuture<LogMessage.Became> outcome = new CompletableFuture<>();
    follower.accept(new Following.Propose(Bytes.of(payload), outcome));
    return outcome;
  }

  @Override
  public CompletionStage<Boolean> caughtUp() {
    CompletableFuture<Boolean> isSafe = new CompletableFuture<>();
    follower.accept(new Following.CatchUp(isSafe));
    return isSafe;
  }
}
