package io.holdfast.simulation.journal;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.CoordinationMachine;
import io.holdfast.coordination.LoggedCommand;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.simulation.raft.SimulatedMember;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The log as one process of a member has it. It notes when each renewal is first given to it. What
 * a process proposes as the leader may come late.
 */
final class MemberLog implements ConsensusLog {

  private record Proposal(long id, Bytes payload) {}

  /** A renewal of the process itself, or of a service that writes by way of it. */
  private record Attempt(SessionId session, long renewal) {}

  private static final Attempt OPENING = new Attempt(SessionId.NONE, 0);

  private final JournalWorld world;
  private final SimulatedMember member;
  private final Map<Long, CompletableFuture<ProposalOutcome>> open = new HashMap<>();
  private final Map<Long, CompletableFuture<ReadOutcome>> reads = new HashMap<>();
  private final Map<Attempt, Long> firstSentUs = new HashMap<>();
  private List<Proposal> queue = new ArrayList<>();

  MemberLog(JournalWorld world, SimulatedMember member) {
    this.world = world;
    this.member = member;
  }

  /** Gives the proposal to the member a little later, together with all that comes until then. */
  @Override
  public CompletionStage<ProposalOutcome> propose(byte[] payload) {
    CompletableFuture<ProposalOutcome> answer = new CompletableFuture<>();
    long id = world.nextProposal();
    open.put(id, answer);
    Proposal proposal = new Proposal(id, Bytes.of(numbered(id, payload)));
    if (payload[0] == CoordinationMachine.CODE && isLate(LoggedCommand.of(payload))) {
      member.later(world.chance().nextInt(600_000), "late proposal", () -> add(proposal));
    } else {
      add(proposal);
    }
    return answer;
  }

  private void add(Proposal proposal) {
    if (queue.isEmpty()) {
      member.later(world.chance().nextInt(300), "proposals", this::give);
    }
    queue.add(proposal);
  }

  /** A leader may stand still between its decision and its proposal. */
  private boolean isLate(CoordinationCommand command) {
    if (command instanceof CoordinationCommand.OpenSession opening && !opening.isService()) {
      firstSentUs.putIfAbsent(OPENING, world.nowUs());
    } else if (command instanceof CoordinationCommand.RenewSession renew) {
      firstSentUs.putIfAbsent(new Attempt(renew.session(), renew.renewal()), world.nowUs());
    }
    boolean isOfLeader =
        command instanceof CoordinationCommand.ExpireSession
            || command instanceof CoordinationCommand.ExpireEarly
            || command instanceof CoordinationCommand.MarkCertain
            || command instanceof CoordinationCommand.Expel;
    return isOfLeader && world.chance().nextInt(4) == 0;
  }

  /** The time when the renewal of this number was given to the log first; 0 is the opening's. */
  long firstSentUs(SessionId session, long renewal) {
    Attempt attempt = renewal == 0 ? OPENING : new Attempt(session, renewal);
    return firstSentUs.getOrDefault(attempt, Long.MIN_VALUE / 2);
  }

  private static byte[] numbered(long id, byte[] payload) {
    return ByteBuffer.allocate(Long.BYTES + payload.length).putLong(id).put(payload).array();
  }

  private void give() {
    List<Proposal> given = queue;
    queue = new ArrayList<>();
    member.input(
        core -> {
          for (Proposal proposal : given) {
            world.raft().proposed(member, proposal.id);
            core.propose(proposal.id, proposal.payload.array());
          }
        });
  }

  boolean isIdle() {
    return open.isEmpty();
  }

  void outcome(ProposalOutcome outcome) {
    CompletableFuture<ProposalOutcome> answer = open.remove(outcome.id());
    if (answer != null) {
      answer.complete(outcome);
    }
  }

  @Override
  public CompletionStage<ReadOutcome> readBarrier() {
    CompletableFuture<ReadOutcome> answer = new CompletableFuture<>();
    long id = world.nextProposal();
    reads.put(id, answer);
    member.later(
        world.chance().nextInt(300),
        "read",
        () ->
            member.input(
                core -> {
                  world.raft().asked(member, id);
                  core.read(id);
                }));
    return answer;
  }

  void read(ReadOutcome outcome) {
    CompletableFuture<ReadOutcome> answer = reads.remove(outcome.id());
    if (answer != null) {
      answer.complete(outcome);
    }
  }

  private RaftCore core() {
    return Objects.requireNonNull(member.core());
  }

  @Override
  public Leadership leadership() {
    return core().leadership();
  }

  @Override
  public List<Member> members() {
    return core().configuration().members();
  }

  @Override
  public MemberId self() {
    return member.id();
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
