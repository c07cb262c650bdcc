package io.holdfast.raft.core;

/**
 * The elections of one member, as a candidate and as a voter.
 *
 * <p>Election safety: a member votes once in a term, durably before it answers, and only for a log
 * that has all its own may have committed; so a term has at most one leader, and that leader has
 * every committed entry.
 */
final class Election {

  private final MemberState state;
  private final ElectionTimer timer;
  private final Roles roles;
  private Votes votes = new Votes(null);

  Election(MemberState state, ElectionTimer timer, Roles roles) {
    this.state = state;
    this.timer = timer;
    this.roles = roles;
  }

  void tick() {
    if (state.role() != Role.LEADER && timer.hasExpired()) {
      startPreVote();
    }
  }

  /** Asks whether there would be a majority, without entering a new term. */
  void startPreVote() {
    roles.preCandidate();
    timer.resetForVotes();
    if (!state.mayCampaign()) {
      roles.follow(state.term(), null);
      return;
    }
    votes = new Votes(timer.goneLeader());
    votes.count(state.self, true);
    ask(true, false);
    decide();
  }

  /**
   * The leader asked this member to take over: no pre-vote, and voters need not stick to their
   * leader.
   */
  void handedOver(Message.HandOver message) {
    boolean current = state.role() != Role.LEADER && message.term() == state.term();
    if (current && state.mayCampaign() && !state.configuration().isWitness(state.self)) {
      campaign(true);
    }
  }

  void requested(Message.VoteRequest request) {
    timer.voterHeard(request.from());
    if (!state.isFormed()) {
      return; // nobody votes before entry 1 is on its disk
    }
    boolean sticky = (state.role() == Role.LEADER || timer.sticksToLeader()) && !request.handOver();
    if (request.term() < state.term() || (sticky && request.preVote())) {
      answer(request, false);
      return;
    }
    if (sticky) {
      return; // an answer would carry this member's term and tell nothing else
    }
    if (request.preVote()) {
      boolean newer = request.term() > state.term() || state.mayVoteFor(request.from());
      answer(request, newer && isUpToDate(request) && !leadsInstead(request));
      return;
    }
    if (request.term() > state.term()) {
      roles.follow(request.term(), null);
    }
    boolean grants = state.mayVoteFor(request.from()) && isUpToDate(request);
    if (grants) {
      state.voteFor(request.from());
      timer.resetForVotes();
    }
    answer(request, grants);
  }

  void answered(Message.VoteResponse response) {
    timer.voterHeard(response.from());
    boolean asked =
        response.preVote()
            ? state.role() == Role.PRE_CANDIDATE
                && (!response.granted() || response.term() == state.term() + 1)
            : state.role() == Role.CANDIDATE && response.term() == state.term();
    if (asked) {
      votes.count(response.from(), response.granted());
      decide();
    }
  }

  /** This member's term and vote are durable as they were in {@code term}. */
  void durable(long term) {
    if (state.role() == Role.CANDIDATE && state.term() == term) {
      votes.count(state.self, true);
      decide();
    }
  }

  private void campaign(boolean handOver) {
    roles.candidate();
    timer.resetForVotes();
    votes = new Votes(timer.goneLeader());
    ask(false, handOver);
  }

  private void decide() {
    boolean preVote = state.role() == Role.PRE_CANDIDATE;
    if (votes.won(state.configuration())) {
      if (preVote) {
        campaign(false);
      } else {
        roles.lead();
      }
    } else if (votes.lost(state.configuration())) {
      roles.follow(state.term(), null);
      timer.resetAfterDefeat();
    }
  }

  private void ask(boolean preVote, boolean handOver) {
    long term = preVote ? state.term() + 1 : state.term();
    for (MemberId voter : state.configuration().everyone()) {
      if (!voter.equals(state.self) && state.configuration().votes(voter)) {
        Message request =
            new Message.VoteRequest(
                state.self,
                voter,
                term,
                state.log.lastIndex(),
                state.log.lastTerm(),
                preVote,
                handOver);
        if (preVote) {
          state.out.now(request);
        } else {
          state.out.whenDurable(request);
        }
      }
    }
  }

  private boolean isUpToDate(Message.VoteRequest request) {
    return state.log.isUpToDate(request.lastIndex(), request.lastTerm());
  }

  /* A witness that leads only hands over, so a full member that lacks nothing of its log stands
  itself. This concerns the pre-vote alone: a request for a real vote is granted. */
  private boolean leadsInstead(Message.VoteRequest request) {
    Configuration configuration = state.configuration();
    return configuration.isWitness(request.from())
        && !configuration.isWitness(state.self)
        && state.mayCampaign()
        && state.log.matches(request.lastIndex(), request.lastTerm());
  }

  private void answer(Message.VoteRequest request, boolean granted) {
    long term = granted ? request.term() : state.term();
    state.out.whenDurable(
        new Message.VoteResponse(state.self, request.from(), term, request.preVote(), granted));
  }
}
