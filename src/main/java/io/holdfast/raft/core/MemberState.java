package io.holdfast.raft.core;

import org.jspecify.annotations.Nullable;

/**
 * The current state of one member: its term and vote, its role, the leader it follows, its log, and
 * the time it was told last.
 *
 * <p>The term never falls, and the vote changes at most once within a term.
 */
final class MemberState {

  final MemberId self;
  final Settings settings;
  final RaftLog log;
  final Outbox out = new Outbox();

  private long nowMs;
  private long term;
  private @Nullable MemberId vote;
  private Role role = Role.FOLLOWER;
  private @Nullable MemberId leader;
  private long durableTerm;
  private long syncMs;
  private long givenWayMs = Long.MIN_VALUE / 2;
  private long giveWayAfterMs;

  MemberState(MemberId self, Settings settings, RaftLog log, HardState hardState, long nowMs) {
    this.self = self;
    this.settings = settings;
    this.log = log;
    this.nowMs = nowMs;
    term = hardState.term();
    vote = hardState.vote();
    durableTerm = term;
  }

  void advanceTo(long ms) {
    nowMs = Math.max(nowMs, ms);
  }

  long nowMs() {
    return nowMs;
  }

  long term() {
    return term;
  }

  void enterTerm(long newer) {
    if (newer < term) {
      throw new IllegalStateException("term [" + newer + "] is before [" + term + "]");
    }
    if (newer > term) {
      term = newer;
      vote = null;
    }
  }

  /** The disk knows this term; it took so long to get what was given to it then. */
  void synced(long durable, long tookMs) {
    durableTerm = Math.max(durableTerm, durable);
    syncMs = tookMs > syncMs ? tookMs : (7 * syncMs + tookMs) / 8;
  }

  /**
   * True if the disk knows the current term, so that this member cannot forget that it was in it.
   */
  boolean isTermDurable() {
    return durableTerm == term;
  }

  /**
   * The time that a sync of the disk takes, by the slowest recent one; at most four election
   * timeouts.
   */
  long syncMs() {
    return Math.min(syncMs, 4L * settings.electionTimeoutMs());
  }

  /**
   * True if a leader may hand over because of its own slow disk. If it does, the pause until the
   * next time doubles, since the next leader may be no better.
   */
  boolean givesWay() {
    long least = 20L * settings.electionTimeoutMs();
    if (nowMs - givenWayMs < giveWayAfterMs) {
      return false;
    }
    boolean again = nowMs - givenWayMs < 4 * giveWayAfterMs;
    giveWayAfterMs = again ? Math.min(64 * least, 2 * giveWayAfterMs) : least;
    givenWayMs = nowMs;
    return true;
  }

  boolean mayVoteFor(MemberId candidate) {
    return vote == null ? leader == null : vote.equals(candidate);
  }

  void voteFor(MemberId candidate) {
    if (vote != null && !vote.equals(candidate)) {
      throw new IllegalStateException(self + " voted for " + vote + " in term " + term);
    }
    vote = candidate;
  }

  Role role() {
    return role;
  }

  @Nullable MemberId leader() {
    return leader;
  }

  void become(Role newRole, @Nullable MemberId newLeader) {
    role = newRole;
    leader = newLeader;
  }

  Configuration configuration() {
    return log.configuration();
  }

  /** True if the directory belongs to a cluster. */
  boolean isFormed() {
    return !configuration().isNone();
  }

  /**
   * True if this member may stand for election: also one whose last act as a leader was to take its
   * own vote away. Until that is committed the others may need it, and cannot lead without what
   * only its log has.
   */
  boolean mayCampaign() {
    return configuration().votes(self) || log.configurations().at(log.commit()).votes(self);
  }

  /** True if this member applies nothing, by what is committed; entry 1 is from the start. */
  boolean isWitness() {
    return log.configurations().at(Math.max(1, log.commit())).isWitness(self);
  }

  HardState hardState(long commit) {
    return new HardState(term, vote, commit);
  }
}
