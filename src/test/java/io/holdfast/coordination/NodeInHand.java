package io.holdfast.coordination;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.coordination.member.Clocks;
import io.holdfast.coordination.member.CoordinationCodec;
import io.holdfast.coordination.member.OwnThread;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.coordination.state.ShardTerms;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.raft.core.Role;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One node's part over a log and a time that are in the test's hand: nothing is decided, and no
 * time passes, unless the test says so.
 */
final class NodeInHand implements ConsensusLog, OwnThread, Clocks {

  static final SessionTimes TIMES = new SessionTimes(/* ttlMs= */ 3_000, /* renewalMs= */ 500);
  static final int SHARDS = 4;
  static final NodeId SELF = new NodeId(1);
  static final NodeId OTHER = new NodeId(2);

  /** Something that was given to the log, and is not decided yet. */
  static final class Proposal {
    private final byte[] payload;
    private final CompletableFuture<ProposalOutcome> outcome = new CompletableFuture<>();

    Proposal(byte[] payload) {
      this.payload = payload;
    }

    CoordinationCommand command() {
      return LoggedCommand.of(payload);
    }
  }

  private record Due(long atMs, long order, Runnable step) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return atMs != other.atMs ? Long.compare(atMs, other.atMs) : Long.compare(order, other.order);
    }
  }

  final CoordinationMachine machine = new CoordinationMachine(/* writer= */ 7);
  final NodeCoordination node = new NodeCoordination(machine, TIMES, this, failed -> this);
  final List<Proposal> proposals = new ArrayList<>();
  final Deque<CompletableFuture<ReadOutcome>> reads = new ArrayDeque<>();
  private final PriorityQueue<Due> dues = new PriorityQueue<>();
  private Leadership leadership = new Leadership(1, Role.FOLLOWER, null);
  private long index;
  private long order;
  private long nowMs = 1_000_000;

  /** Founds a cluster of two nodes; the log runs. */
  NodeInHand() {
    List<Member> members =
        List.of(
            Member.voter(new MemberId(SELF.value()), "a:1"),
            Member.voter(new MemberId(OTHER.value()), "b:1"));
    index++;
    machine.founded(index, new Formation(1, SHARDS, 0, members));
    machine.batchApplied(index);
    node.begin(this);
  }

  static CoordinationCommand.OpenSession opening(NodeId id) {
    return new CoordinationCommand.OpenSession(
        id,
        1,
        "akka://" + id.value(),
        1,
        Set.of(NodeRole.SHARD_HOST),
        TIMES.ttlMs(),
        ShardTerms.of(SHARDS));
  }

  /** Opens the node's session. */
  NodeInHand opened() {
    var unused = node.session().open(opening(SELF));
    pass(0);
    catchUp();
    decideAll();
    assertTrue(node.session().mayAct());
    return this;
  }

  /** Another node decides something. */
  void decide(CoordinationCommand command) {
    apply(
        CoordinationCodec.encode(
            CoordinationMachine.CODE, new CoordinationCodec.Entry(8, 1, command)));
  }

  /** The session of the other node. */
  SessionId openOther() {
    decide(opening(OTHER));
    return sessionOf(OTHER);
  }

  SessionId sessionOf(NodeId id) {
    return machine.read(CoordinationState::sessions).stream()
        .filter(session -> session.member().equals(id))
        .findFirst()
        .orElseThrow()
        .id();
  }

  private void apply(byte[] payload) {
    index++;
    machine.apply(index, 1, payload);
    machine.batchApplied(index);
    pass(0);
  }

  /** Decides it, perhaps long after somebody said that nobody knows. */
  void decide(Proposal proposal) {
    proposals.remove(proposal);
    apply(proposal.payload);
    proposal.outcome.complete(ProposalOutcome.applied(1, index));
    pass(0);
  }

  /** Decides all that is open and what follows from it, without letting time pass. */
  void decideAll() {
    while (!proposals.isEmpty()) {
      decide(proposals.get(0));
    }
  }

  /** Decides renewals only, while time passes. */
  void renewFor(long ms) {
    for (long passed = 0; passed < ms; passed += 25) {
      pass(25);
      for (Proposal each : List.copyOf(proposals)) {
        if (each.command() instanceof CoordinationCommand.RenewSession) {
          decide(each);
        }
      }
    }
  }

  /** The others decide it; this node gets only a snapshot that was taken after it. */
  void jumpBehind(Proposal proposal) throws IOException {
    CoordinationMachine ahead = new CoordinationMachine(/* writer= */ 9);
    ahead.restore(machine.image());
    index++;
    ahead.apply(index, 1, proposal.payload);
    machine.restore(ahead.image());
    pass(0);
  }

  /** Nobody knows what became of it. */
  Proposal lose(Proposal proposal) {
    proposals.remove(proposal);
    proposal.outcome.complete(ProposalOutcome.unknown(1));
    pass(0);
    return proposal;
  }

  /** The open proposals of this kind. */
  List<Proposal> open(Class<? extends CoordinationCommand> kind) {
    return proposals.stream().filter(each -> kind.isInstance(each.command())).toList();
  }

  /** The reads that are open are safe. */
  void catchUp() {
    while (!reads.isEmpty()) {
      reads.remove().complete(ReadOutcome.safe(1, index));
    }
    pass(0);
  }

  void leads() {
    leadership = new Leadership(2, Role.LEADER, self());
    machine.leadershipChanged(leadership);
    pass(0);
  }

  /** Time passes, and what is due in it happens. */
  void pass(long ms) {
    long untilMs = nowMs + ms;
    for (Due due = dues.peek(); due != null && due.atMs <= untilMs; due = dues.peek()) {
      dues.remove();
      nowMs = Math.max(nowMs, due.atMs);
      due.step.run();
    }
    nowMs = untilMs;
  }

  // ------------------------------------------------------------------ the thread and the clocks

  @Override
  public void run(Runnable step) {
    after(0, step);
  }

  @Override
  public void after(long delayMs, Runnable step) {
    dues.add(new Due(nowMs + Math.max(0, delayMs), order++, step));
  }

  @Override
  public long monotonicMs() {
    return nowMs;
  }

  @Override
  public long wallMs() {
    return nowMs;
  }

  // ------------------------------------------------------------------ the log

  @Override
  public CompletionStage<ProposalOutcome> propose(byte[] payload) {
    Proposal proposal = new Proposal(payload);
    proposals.add(proposal);
    return proposal.outcome;
  }

  @Override
  public CompletionStage<ReadOutcome> readBarrier() {
    CompletableFuture<ReadOutcome> read = new CompletableFuture<>();
    reads.add(read);
    return read;
  }

  @Override
  public Leadership leadership() {
    return leadership;
  }

  @Override
  public List<Member> members() {
    return List.of();
  }

  @Override
  public MemberId self() {
    return new MemberId(SELF.value());
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
