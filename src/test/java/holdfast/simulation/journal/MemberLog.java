package holdfast.simulation.journal;

import holdfast.journal.state.Bytes;
import holdfast.raft.ConsensusLog;
import holdfast.raft.core.Leadership;
import holdfast.raft.core.Member;
import holdfast.raft.core.MemberId;
import holdfast.raft.core.Outcome;
import holdfast.raft.core.RaftCore;
import holdfast.raft.core.ReadOutcome;
import holdfast.raft.core.Refusal;
import holdfast.simulation.raft.SimulatedMember;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The log as one process of a member has it. */
final class MemberLog implements ConsensusLog {

  private record Proposal(long id, Bytes payload) {}

  private final JournalWorld world;
  private final SimulatedMember member;
  private final Map<Long, CompletableFuture<Outcome>> open = new HashMap<>();
  private final Map<Long, CompletableFuture<ReadOutcome>> reads = new HashMap<>();
  private List<Proposal> queue = new ArrayList<>();

  MemberLog(JournalWorld world, SimulatedMember member) {
    this.world = world;
    this.member = member;
  }

  /** Gives the proposal to the member a little later, together with all that comes until then. */
  @Override
  public CompletionStage<Outcome> propose(byte[] payload) {
    CompletableFuture<Outcome> answer = new CompletableFuture<>();
    long id = world.nextProposal();
    open.put(id, answer);
    if (queue.isEmpty()) {
      member.later(world.chance().nextInt(300), "proposals", this::give);
    }
    queue.add(new Proposal(id, Bytes.of(numbered(id, payload))));
    return answer;
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

  void outcome(Outcome outcome) {
    CompletableFuture<Outcome> answer = open.remove(outcome.id());
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
