package io.holdfast.coordination.following;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.CoordinationMachine;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.raft.core.Role;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The log of a service: it follows at one of the nodes, and has the entries of coordination only.
 * It never leads or votes.
 */
public final class DistantLog implements ConsensusLog {

  private static final Leadership NOBODY = new Leadership(0, Role.FOLLOWER, null);

  private final MemberId self;
  private final Consumer<Following.Question> follower;

  /**
   * Creates the log of a service.
   *
   * @param follower sends requests to the actor that follows
   */
  DistantLog(MemberId self, Consumer<Following.Question> follower) {
    this.self = self;
    this.follower = follower;
  }

  /**
   * Follows for this machine, in an actor of its own, until the log is closed.
   *
   * @param self a random number of this process alone
   * @param contacts Akka addresses of nodes, one at least
   * @param times the times of the sessions
   */
  public static ConsensusLog open(
      ActorSystem system,
      CoordinationMachine machine,
      MemberId self,
      List<String> contacts,
      SessionTimes times) {
    ActorRef follower =
        ((ExtendedActorSystem) system)
            .systemActorOf(LogFollower.props(machine, contacts, times), "holdfast-log-follower");
    return new DistantLog(self, question -> follower.tell(question, ActorRef.noSender()));
  }

  @Override
  public CompletionStage<ProposalOutcome> propose(byte[] payload) {
    CompletableFuture<ProposalOutcome> outcome = new CompletableFuture<>();
    follower.accept(new Following.Propose(Bytes.of(payload), outcome));
    return outcome;
  }

  @Override
  public CompletionStage<ReadOutcome> readBarrier() {
    CompletableFuture<ReadOutcome> outcome = new CompletableFuture<>();
    follower.accept(new Following.CatchUp(outcome));
    return outcome;
  }

  @Override
  public Leadership leadership() {
    return NOBODY;
  }

  @Override
  public List<Member> members() {
    return List.of();
  }

  @Override
  public MemberId self() {
    return self;
  }

  @Override
  public CompletionStage<Optional<RaftRefusal>> changeMembers(List<Member> target) {
    return CompletableFuture.completedFuture(Optional.of(RaftRefusal.NOT_LEADER));
  }

  @Override
  public CompletionStage<Optional<RaftRefusal>> handOver(MemberId successor) {
    return CompletableFuture.completedFuture(Optional.of(RaftRefusal.NOT_LEADER));
  }

  @Override
  public void close() {
    follower.accept(new Following.Stop());
  }
}
