package io.holdfast.journal;

import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.raft.core.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A log that accepts proposals at random: soon, late, out of order, never, or after their proposer
 * was told that the outcome is unknown. One thread runs it; any thread may propose.
 */
public final class UnreliableLog implements ConsensusLog {

  private int longestEntry;

  private static final class Proposal {
    final byte[] payload;
    final CompletableFuture<ProposalOutcome> answer = new CompletableFuture<>();

    Proposal(byte[] payload) {
      this.payload = payload;
    }
  }

  private final SplittableRandom random;
  private final StateMachine machine;
  private final List<Proposal> open = new ArrayList<>();
  private long index;

  public UnreliableLog(SplittableRandom random, StateMachine machine) {
    this.random = random;
    this.machine = machine;
  }

  /** The length of the longest entry that was proposed. */
  int longestEntry() {
    return longestEntry;
  }

  @Override
  public CompletionStage<ProposalOutcome> propose(byte[] payload) {
    longestEntry = Math.max(longestEntry, payload.length);
    Proposal proposal = new Proposal(payload);
    synchronized (open) {
      open.add(proposal);
    }
    return proposal.answer;
  }

  public boolean isQuiet() {
    synchronized (open) {
      return open.isEmpty();
    }
  }

  /** Runs one random step of one of the proposals. */
  public void step(boolean troubled) {
    Proposal proposal;
    int dice;
    synchronized (open) {
      if (open.isEmpty()) {
        return;
      }
      dice = troubled ? random.nextInt(100) : 100;
      proposal = open.remove(dice < 10 ? random.nextInt(open.size()) : 0);
      if (dice >= 30 && dice < 40) {
        open.add(random.nextInt(open.size() + 1), proposal); // it will be accepted later
      }
    }
    if (dice < 20) {
      proposal.answer.complete(ProposalOutcome.refused(1, RaftRefusal.LEADER_CHANGED));
    } else if (dice < 40) {
      proposal.answer.complete(ProposalOutcome.unknown(1));
    } else {
      long at = apply(proposal.payload);
      proposal.answer.complete(ProposalOutcome.applied(1, at));
    }
  }

  /** Adds an entry of another process to the log. */
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
  public CompletionStage<Optional<RaftRefusal>> changeMembers(List<Member> target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Optional<RaftRefusal>> transferLeadership(MemberId successor) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
