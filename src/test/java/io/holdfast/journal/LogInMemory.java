package io.holdfast.journal;

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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A log of one member that stores nothing: it applies each proposal on one thread of its own. */
final class LogInMemory implements ConsensusLog {

  private final StateMachine machine;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private long index;

  LogInMemory(StateMachine machine) {
    this.machine = machine;
  }

  @Override
  public CompletionStage<ProposalOutcome> propose(byte[] payload) {
    return CompletableFuture.supplyAsync(
        () -> {
          machine.apply(++index, 1, payload);
          machine.batchApplied(index);
          return ProposalOutcome.applied(0, index);
        },
        thread);
  }

  @Override
  public CompletionStage<ReadOutcome> readBarrier() {
    return CompletableFuture.supplyAsync(() -> ReadOutcome.safe(0, index), thread);
  }

  @Override
  public Leadership leadership() {
    return new Leadership(1, Role.LEADER, self());
  }

  @Override
  public List<Member> members() {
    return List.of();
  }

  @Override
  public MemberId self() {
    return new MemberId(1);
  }

  @Override
  public CompletionStage<Optional<RaftRefusal>> changeMembers(List<Member> target) {
    return CompletableFuture.completedFuture(Optional.of(RaftRefusal.NOT_ELIGIBLE));
  }

  @Override
  public CompletionStage<Optional<RaftRefusal>> transferLeadership(MemberId successor) {
    return CompletableFuture.completedFuture(Optional.of(RaftRefusal.NOT_ELIGIBLE));
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
