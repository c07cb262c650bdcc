package io.holdfast.raft.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One member's part in one consensus group, as a function of its inputs.
 *
 * <p>Each method but {@link #ready} is an input; {@code ready} returns the reaction to all inputs
 * since the last time. The package description says what the caller owes. Not thread safe.
 */
public final class RaftCore {

  private record PendingSync(long number, long term, long lastIndex, long sinceMs) {}

  private final MemberState state;
  private final ElectionTimer timer;
  private final OpenProposals proposals;
  private final GrantedReads granted;
  private final FollowerReads followerReads;
  private final Forwarding forwarding;
  private final Roles roles;
  private final Election election;
  private final Plausibility plausibility;
  private final MessageDispatcher inbox;

  private final Deque<PendingSync> pendingSyncs = new ArrayDeque<>();
  private HardState writtenHardState;
  private Leadership toldLeadership;
  private long readyNumber;
  private long compactBefore;
  private long justifiedCommit;

  /**
   * A member as it was when its process ended, or a new one.
   *
   * @param incarnation rises with each start of this member's process
   * @param log the log on its disk; its state machine is empty
   * @param hardState the hard state on its disk, or {@link HardState#NEW}
   * @param seed of the election timeouts; differs between members
   */
  public RaftCore(
      MemberId self,
      Settings settings,
      long incarnation,
      RaftLogView log,
      HardState hardState,
      long seed,
      long nowMs) {
    RaftLog raftLog = new RaftLog(log, hardState.commit());
    state = new MemberState(self, settings, raftLog, hardState, nowMs);
    timer = new ElectionTimer(state, new SeededRandom(seed));
    proposals = new OpenProposals(raftLog, state.out);
    granted = new GrantedReads(raftLog, state.out);
    long firstNumber = incarnation << 32;
    followerReads = new FollowerReads(state, granted, firstNumber);
    forwarding = new Forwarding(state, proposals, firstNumber);
    roles = new Roles(state, timer, proposals, granted, followerReads, forwarding);
    election = new Election(state, timer, roles);
    LeaderMessages following =
        new LeaderMessages(state, timer, roles, new SnapshotReceiving(state));
    plausibility = new Plausibility(hardState.term(), raftLog.lastIndex(), nowMs);
    inbox =
        new MessageDispatcher(
            state, plausibility, roles, election, following, followerReads, forwarding);
    writtenHardState = hardState;
    justifiedCommit = raftLog.commit();
    toldLeadership = leadership();
  }

  /** Founds the cluster; every initial member is given the same formation. */
  public Optional<RaftRefusal> form(Formation formation) {
    if (state.isFormed() || state.log.lastIndex() > 0) {
      return Optional.of(RaftRefusal.ALREADY_FORMED);
    }
    if (formation.configuration().memberOrNull(state.self) == null) {
      return Optional.of(RaftRefusal.NOT_ELIGIBLE);
    }
    if (state.term() == 0) {
      state.enterTerm(1);
    }
    state.log.append(new Entry(1, 1, EntryKind.FORMATION, MemberCodec.encode(formation)));
    timer.reset();
    return Optional.empty();
  }

  /**
   * The time is {@code nowMs}, by a clock that never goes back. To be told before any other input
   * too: a read that comes after a pause of the process must not find a lease of before it.
   */
  public void tick(long nowMs) {
    state.advanceTo(nowMs);
    LeaderTerm leader = roles.leaderTerm();
    if (leader != null) {
      if (!leader.tick()) {
        roles.stepDown();
      }
      return;
    }
    forwarding.giveUpBefore(nowMs - state.settings.electionTimeoutMs());
    followerReads.repeatLost();
    election.tick();
  }

  /** The next time at which a tick changes anything. */
  public long nextTickMs() {
    LeaderTerm leader = roles.leaderTerm();
    if (leader != null) {
      return leader.beatAtMs();
    }
    long next = timer.deadlineMs();
    if (forwarding.isUnanswered()) {
      next = Math.min(next, state.nowMs() + state.settings.heartbeatMs());
    }
    return followerReads.isAsking() ? Math.min(next, followerReads.repeatAtMs()) : next;
  }

  /**
   * True if no member can have sent the message, since it speaks of a term or place out of reach.
   */
  public boolean isImplausible(Message message) {
    return plausibility.isImplausible(message, state.nowMs());
  }

  /** A message arrived. */
  public void receive(Message message) {
    inbox.receive(message);
  }

  /** Proposes a payload; an {@link ProposalOutcome} with this id follows. */
  public void propose(long id, byte[] payload) {
    Optional<RaftRefusal> refusal = proposalRefusal(payload.length);
    LeaderTerm leader = roles.leaderTerm();
    if (refusal.isPresent()) {
      state.out.outcome(ProposalOutcome.refused(id, refusal.get()));
    } else if (leader != null) {
      leader.propose(id, payload);
    } else {
      forwarding.propose(id, payload);
    }
  }

  /** Asks for an index to read at; a {@link ReadOutcome} with this id follows. */
  public void read(long id) {
    LeaderTerm leader = roles.leaderTerm();
    RaftRefusal refusal = commonRefusal();
    if (refusal != null) {
      state.out.read(ReadOutcome.refused(id, refusal));
    } else if (readCount() >= state.settings.maxPendingReads()) {
      state.out.read(ReadOutcome.refused(id, RaftRefusal.QUEUE_FULL));
    } else if (leader != null) {
      leader.read(null, id);
    } else {
      followerReads.read(id);
    }
  }

  /** Begins to change the group to exactly these members; only the leader can. */
  public Optional<RaftRefusal> changeMembers(List<Member> target) {
    LeaderTerm leader = roles.leaderTerm();
    return leader == null ? Optional.of(RaftRefusal.NOT_LEADER) : leader.changeMembers(target);
  }

  /** Begins to make another member the leader; only the leader can. */
  public Optional<RaftRefusal> transferLeadership(MemberId successor) {
    LeaderTerm leader = roles.leaderTerm();
    return leader == null
        ? Optional.of(RaftRefusal.NOT_LEADER)
        : leader.transferLeadership(successor);
  }

  /** Everything written up to and including the {@link Ready} of this number is durable. */
  public void persisted(long number) {
    while (!pendingSyncs.isEmpty() && pendingSyncs.peek().number <= number) {
      PendingSync synced = pendingSyncs.remove();
      state.synced(synced.term, state.nowMs() - synced.sinceMs);
      election.durable(synced.term);
      LeaderTerm leader = roles.leaderTerm();
      if (leader != null && synced.term == state.term()) {
        leader.durable(synced.lastIndex);
      }
    }
  }

  /** The peer's process has provably ended: its link is closed and its port refuses. */
  public void peerGone(MemberId peer) {
    forwarding.connectionLost(peer);
    LeaderTerm leader = roles.leaderTerm();
    if (leader != null) {
      leader.peerGone(peer);
    } else if (state.settings.fastPath() && peer.equals(state.leader())) {
      timer.leaderGone(peer);
    }
  }

  /** The connection to the peer broke; what was sent on it may or may not have arrived. */
  public void connectionLost(MemberId peer) {
    forwarding.connectionLost(peer);
  }

  /** The log's view shows a new snapshot of this member's own, durably. */
  public void snapshotTaken() {
    SnapshotMeta newest = state.log.snapshot();
    if (newest != null) {
      compactBehind(newest);
    }
  }

  /** The description of a snapshot of the state at {@code index}, which was handed over. */
  public SnapshotMeta describeSnapshot(long index) {
    ConfigurationHistory history = state.log.configurations();
    Formation formation = history.formation();
    if (formation == null || index > state.log.handedOver()) {
      throw new IllegalArgumentException("nothing to snapshot at [" + index + "]");
    }
    return new SnapshotMeta(
        index, state.log.term(index), formation, history.at(index), history.indexAt(index), 0, 0);
  }

  /** The reaction to all inputs since the last call; null if there is none. */
  public @Nullable Ready ready() {
    flush();
    SnapshotMeta restore = takeRestore();
    List<Entry> committed = takeCommitted();
    granted.release();
    Leadership leadership = leadership();
    boolean leadershipChanged = !leadership.equals(toldLeadership);
    HardState hardState = state.hardState(justifiedCommit);
    boolean mustSyncState = hardState.mustBeDurableAfter(writtenHardState);
    boolean quiet =
        !mustSyncState
            && !leadershipChanged
            && compactBefore == 0
            && restore == null
            && committed.isEmpty()
            && !state.log.hasPending()
            && state.out.isEmpty();
    if (quiet) {
      return null;
    }
    long lastIndex = state.log.lastIndex();
    Ready.Install install = state.log.takeInstall();
    if (install != null && install.keepsLog()) {
      compactBehind(install.snapshot());
    }
    List<Entry> entries = state.log.takePending();
    List<Ready.SnapshotWrite> pieces = state.out.takeSnapshotWrites();
    boolean mustSync = mustSyncState || install != null || !entries.isEmpty() || !pieces.isEmpty();
    readyNumber++;
    if (mustSync) {
      pendingSyncs.add(new PendingSync(readyNumber, state.term(), lastIndex, state.nowMs()));
      writtenHardState = hardState;
    }
    toldLeadership = leadership;
    Ready ready =
        new Ready(
            readyNumber,
            mustSync ? hardState : null,
            entries,
            pieces,
            install,
            mustSync,
            state.out.takeNow(),
            state.out.takeWhenDurable(),
            state.out.takeSnapshotReads(),
            restore,
            committed,
            state.out.takeOutcomes(),
            state.out.takeReads(),
            compactBefore,
            leadershipChanged ? leadership : null);
    compactBefore = 0;
    justifiedCommit = state.log.commit();
    return ready;
  }

  public Leadership leadership() {
    return new Leadership(state.term(), state.role(), state.leader());
  }

  public MemberId self() {
    return state.self;
  }

  public long commit() {
    return state.log.commit();
  }

  /** The configuration in force, committed or not. */
  public Configuration configuration() {
    return state.configuration();
  }

  /** The index of the configuration in force. */
  public long configurationIndex() {
    return state.log.configurations().currentIndex();
  }

  /** The founding of the cluster this member belongs to; null if it belongs to none. */
  public @Nullable Formation formation() {
    return state.log.configurations().formation();
  }

  /**
   * The index up to which each other member's disk is known to equal this leader's log; 0 unless it
   * leads.
   */
  public long matchOf(MemberId member) {
    LeaderTerm leader = roles.leaderTerm();
    return leader == null ? 0 : leader.replication().match(member);
  }

  private void compactBehind(SnapshotMeta snapshot) {
    long keepFrom = snapshot.index() - state.settings.retainedTail() + 1;
    if (keepFrom > state.log.firstIndex()) {
      compactBefore = keepFrom;
      state.log.configurations().compactedTo(snapshot.index());
    }
  }

  private void flush() {
    LeaderTerm leader = roles.leaderTerm();
    if (leader != null) {
      leader.flush();
    } else {
      forwarding.flush();
      followerReads.flush();
    }
  }

  private @Nullable SnapshotMeta takeRestore() {
    if (state.isWitness()) {
      return null;
    }
    SnapshotMeta restore = state.log.takeRestore();
    if (restore != null) {
      proposals.passed(restore.index());
    }
    return restore;
  }

  private List<Entry> takeCommitted() {
    if (state.isWitness()) {
      proposals.giveUp();
      granted.refuse();
      return List.of();
    }
    List<Entry> committed = state.log.takeCommitted(state.settings.maxApplyBytes());
    LeaderTerm leader = roles.leaderTerm();
    for (Entry entry : committed) {
      proposals.committed(entry);
      if (leader != null) {
        leader.handedOut(entry);
      }
    }
    return committed;
  }

  private Optional<RaftRefusal> proposalRefusal(int bytes) {
    RaftRefusal common = commonRefusal();
    if (common != null) {
      return Optional.of(common);
    }
    if (bytes > state.settings.maxProposalBytes()) {
      return Optional.of(RaftRefusal.TOO_LARGE);
    }
    if (proposals.count() + forwarding.count() >= state.settings.maxPendingProposals()) {
      return Optional.of(RaftRefusal.QUEUE_FULL);
    }
    LeaderTerm leader = roles.leaderTerm();
    return leader == null ? Optional.empty() : leader.refusal();
  }

  private @Nullable RaftRefusal commonRefusal() {
    if (!state.isFormed()) {
      return RaftRefusal.NOT_FORMED;
    }
    if (state.isWitness()) {
      return RaftRefusal.NOT_ELIGIBLE;
    }
    return state.leader() == null ? RaftRefusal.NO_LEADER : null;
  }

  private int readCount() {
    LeaderTerm leader = roles.leaderTerm();
    return granted.count() + followerReads.count() + (leader == null ? 0 : leader.readCount());
  }
}
