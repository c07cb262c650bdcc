package io.holdfast.raft.core;

import io.holdfast.bytes.Bytes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One term of leadership, from its first entry until the leader steps down.
 *
 * <p>Leader completeness: a leader never overwrites its own log, and commits by counting only
 * entries of its own term; what came before is committed with them.
 */
final class LeaderTerm {

  private final MemberState state;
  private final OpenProposals proposals;
  private final Replication replication;
  private final ReadRounds rounds;
  private final LeadershipTransfer transfer;
  private final MembershipChange membership;
  private final Map<MemberId, Long> lastForwards = new HashMap<>();
  private final long beganMs;
  private long beatAtMs;
  private long unappliedBytes;
  private final DiskLag lag = new DiskLag();

  LeaderTerm(MemberState state, OpenProposals proposals, GrantedReads granted) {
    this.state = state;
    this.proposals = proposals;
    replication = new Replication(state);
    rounds = new ReadRounds(state, granted);
    transfer = new LeadershipTransfer(state, replication, rounds);
    membership = new MembershipChange(state, replication);
    beganMs = state.nowMs();
    beatAtMs = state.nowMs();
  }

  void begin() {
    replication.configurationChanged();
    append(EntryKind.NOOP, new byte[0]);
  }

  /** Sends heartbeats, resends what was lost, and returns whether a quorum was heard lately. */
  boolean tick() {
    transfer.tick();
    if (state.nowMs() < beatAtMs) {
      return true;
    }
    beatAtMs = state.nowMs() + state.settings.heartbeatMs();
    rounds.begin();
    roundAnswered();
    replication.repeatLost();
    transferIfUnfit();
    return hasQuorum();
  }

  /** Sends what is pending. */
  void flush() {
    rounds.flush();
    roundAnswered();
    transfer.flush();
    replication.flush(rounds.current());
  }

  /** Why a proposal would be refused; empty if it would be taken. */
  Optional<RaftRefusal> refusal() {
    if (state.configuration().isWitness(state.self)) {
      return Optional.of(RaftRefusal.WITNESS_LEADS);
    }
    if (transfer.isUnderWay() || !state.configuration().votes(state.self)) {
      return Optional.of(RaftRefusal.HANDING_OVER);
    }
    return unappliedBytes >= state.settings.maxUncommittedBytes()
        ? Optional.of(RaftRefusal.QUEUE_FULL)
        : Optional.empty();
  }

  void propose(long id, byte[] payload) {
    long index = append(EntryKind.PROPOSAL, payload);
    proposals.placed(id, index, state.term());
  }

  /** Takes a follower's proposals, once, in the order they were sent. */
  void forwarded(Message.Forward forward) {
    if (forward.number() <= lastForwards.getOrDefault(forward.from(), -1L)) {
      return; // a repeated message must not become a repeated entry
    }
    lastForwards.put(forward.from(), forward.number());
    long first = state.log.lastIndex() + 1;
    int accepted = 0;
    for (Bytes payload : forward.payloads()) {
      if (refusal().isPresent() || payload.size() > state.settings.maxProposalBytes()) {
        break;
      }
      append(EntryKind.PROPOSAL, payload.array());
      accepted++;
    }
    state.out.now(
        new Message.Forwarded(
            state.self, forward.from(), state.term(), forward.number(), first, accepted));
  }

  void read(@Nullable MemberId asker, long id) {
    rounds.read(asker, id);
  }

  Optional<RaftRefusal> changeMembers(List<Member> target) {
    Optional<RaftRefusal> refusal = refusal().or(() -> membership.refusal(target));
    if (refusal.isEmpty()) {
      appendConfiguration(state.configuration().towards(target));
    }
    return refusal;
  }

  Optional<RaftRefusal> transferLeadership(MemberId successor) {
    return transfer.to(successor);
  }

  void accepted(Message.AppendAccepted answer) {
    Progress follower = heard(answer.from(), answer.round());
    boolean exists = answer.index() <= state.log.lastIndex(); // else it is from no follower
    if (follower != null && exists && replication.accepted(follower, answer.index())) {
      advanceCommit();
    }
  }

  void rejected(Message.AppendRejected answer) {
    Progress follower = heard(answer.from(), answer.round());
    if (follower != null) {
      replication.rejected(follower, answer);
    }
  }

  void beaten(Message.HeartbeatResponse answer) {
    heard(answer.from(), answer.round());
  }

  void wanted(Message.SnapshotWanted answer) {
    Progress follower = heard(answer.from(), 0);
    if (follower != null && replication.wanted(follower, answer)) {
      advanceCommit();
    }
  }

  /** This member's own disk has everything up to {@code index}. */
  void durable(long index) {
    replication.durable(index);
    lag.durable(index, index <= state.log.commit(), state.nowMs(), leastLagMs());
    advanceCommit();
  }

  void handedOut(Entry entry) {
    unappliedBytes = Math.max(0, unappliedBytes - entry.sizeBytes());
  }

  void peerGone(MemberId peer) {
    Progress follower = replication.follower(peer);
    if (follower != null) {
      follower.gone(state.nowMs(), state.settings.electionTimeoutMs());
    }
  }

  void end() {
    rounds.leaderLost();
  }

  long beatAtMs() {
    return beatAtMs;
  }

  int readCount() {
    return rounds.count();
  }

  Replication replication() {
    return replication;
  }

  private long append(EntryKind kind, byte[] payload) {
    Entry entry = new Entry(state.term(), state.log.lastIndex() + 1, kind, payload);
    state.log.append(entry);
    unappliedBytes += entry.sizeBytes();
    return entry.index();
  }

  private void appendConfiguration(Configuration configuration) {
    append(EntryKind.CONFIGURATION, MemberCodec.encode(configuration));
    replication.configurationChanged();
  }

  private @Nullable Progress heard(MemberId from, long round) {
    Progress follower = replication.follower(from);
    if (follower != null) {
      follower.heard(state.nowMs());
      follower.ackedRound(round);
      roundAnswered();
    }
    return follower;
  }

  private void roundAnswered() {
    if (rounds.isOpen()) {
      rounds.reached(Quorum.reached(state.configuration(), this::ackedRound));
    }
  }

  private long ackedRound(MemberId id) {
    if (id.equals(state.self)) {
      return rounds.current();
    }
    Progress follower = replication.follower(id);
    return follower == null ? 0 : follower.roundAcked();
  }

  private void advanceCommit() {
    long index = Quorum.reached(state.configuration(), replication::match);
    if (index <= state.log.commit() || state.log.term(index) != state.term()) {
      return;
    }
    state.log.commitTo(index);
    if (index > replication.match(state.self)) {
      lag.committed(index, state.nowMs());
    }
    Configuration next = membership.next();
    if (next != null) {
      appendConfiguration(next);
    }
  }

  private boolean hasQuorum() {
    long since = state.nowMs() - state.settings.electionTimeoutMs();
    return Quorum.among(state.configuration(), id -> heardSince(id, since));
  }

  private boolean heardSince(MemberId id, long since) {
    Progress follower = replication.follower(id);
    return follower == null ? id.equals(state.self) : follower.heardSince(since);
  }

  /* A witness or a member that lost its vote leads only until another can. A leader of a lower
  priority gives way once it has led for a while, and so does one whose disk lags behind others. */
  private void transferIfUnfit() {
    Configuration configuration = state.configuration();
    boolean settled = state.log.configurations().currentIndex() <= state.log.commit();
    if (transfer.isUnderWay() || !settled) {
      return;
    }
    if (configuration.isWitness(state.self) || !configuration.votes(state.self)) {
      transfer.toBest();
      return;
    }
    long timeoutMs = state.settings.electionTimeoutMs();
    if (state.nowMs() - beganMs > 2 * timeoutMs) {
      transfer.toHigherPriority();
      boolean isSlow = lag.isLasting(state.nowMs(), timeoutMs);
      if (isSlow && !transfer.isUnderWay() && state.givesWay()) {
        transfer.toBest();
      }
    }
  }

  private long leastLagMs() {
    return Math.max(state.settings.heartbeatMs(), state.syncMs() / 2);
  }
}
