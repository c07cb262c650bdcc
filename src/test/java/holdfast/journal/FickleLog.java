package holdfast.journal;

import holdfast.raft.ConsensusLog;
import holdfast.raft.core.Leadership;
import holdfast.raft.core.Member;
import holdfast.raft.core.MemberId;
import holdfast.raft.core.Outcome;
import holdfast.raft.core.ReadOutcome;
import holdfast.raft.core.Refusal;
import holdfast.raft.core.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A log whose proposals get their place when chance says so: soon, late, behind others, never, or
 * after their proposer was told that nobody knows.
 */
final class FickleLog implements ConsensusLog {

  private static final class Proposal {
    final byte[] payload;
    final CompletableFuture<Outcome> answer = new CompletableFuture<>();

    Proposal(byte[] payload) {
      this.payload = payload;
    }
  }

  private final SplittableRandom random;
  private final StateMachine machine;
  private final List<Proposal> open = new ArrayList<>();
  private long index;

  FickleLog(SplittableRandom random, StateMachine machine) {
    this.random = random;
    this.machine = machine;
  }

  @Override
  public CompletionStage<Outcome> propose(byte[] payload) {
    Proposal proposal = new Proposal(payload);
    open.add(proposal);
    return proposal.answer;
  }

  boolean isQuiet() {
    return open.isEmpty();
  }

  /** Lets something happen to one of the proposals. */
  void step(boolean troubled) {
    if (open.isEmpty()) {
      return;
    }
    int dice = troubled ? random.nextInt(100) : 100;
    int which = dice < 10 ? random.nextInt(open.size()) : 0;
    Proposal proposal = open.remove(which);
    if (dice < 20) {
      proposal.answer.complete(Outcome.refused(1, Refusal.LEADER_CHANGED));
    } else if (dice < 30) {
      proposal.answer.complete(Outcome.unknown(1)); // and it never gets a place
    } else if (dice < 40) {
      proposal.answer.complete(Outcome.unknown(1)); // but it will get one
      open.add(random.nextInt(open.size() + 1), proposal);
    } else {
      long at = apply(proposal.payload);
      proposal.answer.complete(Outcome.applied(1, at));
    }
  }

  /** Puts an entry of somebody else into the log. */
  long apply(byte[] payload) {
    machine.apply(++index, 1, payload);
    machine.batchApplied(index);
    return index;
  }

  @Override
  public CompletionStage<ReadOutcome> readBarrier() {
    return CompletableFuture.completedFuture(ReadOutcome.safe(1, index));
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
  public CompletionStage<Optional<Refusal>> changeMembers(List<Member> target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Optional<Refusal>> handOver(MemberId successor) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
