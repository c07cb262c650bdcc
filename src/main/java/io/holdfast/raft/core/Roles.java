package io.holdfast.raft.core;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The changes of role, with what each of them begins and ends.
 *
 * <pre>
 *   FOLLOWER ──timer expires─▶ PRE_CANDIDATE ──would win──▶ CANDIDATE ──won──▶ LEADER
 *      ▲  └───────────leader hands over──────────────────────▶  │                 │
 *      └──lost, leader heard, or newer term─────────────────────┴──no quorum──────┘
 * </pre>
 */
final class Roles {

  private final MemberState state;
  private final ElectionTimer timer;
  private final OpenProposals proposals;
  private final GrantedReads granted;
  private final FollowerReads reads;
  private final Forwarding forwarding;
  private @Nullable LeaderTerm leaderTerm;

  Roles(
      MemberState state,
      ElectionTimer timer,
      OpenProposals proposals,
      GrantedReads granted,
      FollowerReads reads,
      Forwarding forwarding) {
    this.state = state;
    this.timer = timer;
    this.proposals = proposals;
    this.granted = granted;
    this.reads = reads;
    this.forwarding = forwarding;
  }

  /** Follows {@code leader}, or nobody yet, in {@code term}. */
  void follow(long term, @Nullable MemberId leader) {
    MemberId known = state.leader();
    if (term == state.term() && leader != null && known != null && !known.equals(leader)) {
      throw new IllegalStateException(known + " and " + leader + " both lead term " + term);
    }
    boolean changed =
        term != state.term() || state.role() != Role.FOLLOWER || !Objects.equals(leader, known);
    if (!changed) {
      return;
    }
    leave();
    state.enterTerm(term);
    state.become(Role.FOLLOWER, leader);
    timer.reset();
  }

  void preCandidate() {
    requireNotLeader();
    leave();
    proposals.giveUp();
    state.become(Role.PRE_CANDIDATE, null);
  }

  void candidate() {
    requireNotLeader();
    leave();
    state.enterTerm(state.term() + 1);
    state.voteFor(state.self);
    state.become(Role.CANDIDATE, null);
  }

  void lead() {
    if (state.role() != Role.CANDIDATE) {
      throw new IllegalStateException(state.role() + " cannot become leader");
    }
    state.become(Role.LEADER, state.self);
    timer.becameLeader();
    leaderTerm = new LeaderTerm(state, proposals, granted);
    leaderTerm.begin();
  }

  /** Steps down, because no quorum answers. */
  void stepDown() {
    proposals.giveUp();
    follow(state.term(), null);
  }

  /** The leader's part of this member; null unless it leads. */
  @Nullable LeaderTerm leaderTerm() {
    return leaderTerm;
  }

  private void leave() {
    if (leaderTerm != null) {
      leaderTerm.end();
      leaderTerm = null;
    }
    reads.leaderLost();
    forwarding.leaderLost();
  }

  private void requireNotLeader() {
    if (state.role() == Role.LEADER) {
      throw new IllegalStateException("a leader does not stand for election");
    }
  }
}
