package io.holdfast.raft.core;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The election timer: says when a member stands because its leader is silent, and until when it
 * keeps faith with a leader.
 *
 * <p>Faith: for the shortest election timeout after word from a leader a member helps nobody else
 * into office. So a removed or half cut off member cannot disturb a working leader, and a lease
 * counted from before that word is safe.
 *
 * <p>Patience is drawn between one and two election timeouts, so that members seldom stand at the
 * same time. Less willing members wait a little longer, witnesses a whole timeout longer.
 */
final class ElectionTimer {

  private final MemberState state;
  private final Draws draws;
  private long deadlineMs;
  private long faithUntilMs;
  private @Nullable MemberId goneLeader;

  ElectionTimer(MemberState state, Draws draws) {
    this.state = state;
    this.draws = draws;
    if (state.settings.leaseReads()) {
      keepFaith(); // word from a leader may have been forgotten by the restart
    }
    rest();
  }

  /** Word from the leader of this term arrived. */
  void leaderHeard() {
    goneLeader = null;
    keepFaith();
    rest();
  }

  /** Word from a voter: if it was the leader whose process ended, another of it runs. */
  void voterHeard(MemberId voter) {
    if (voter.equals(goneLeader)) {
      goneLeader = null;
    }
  }

  /** This member leads: the end of the one before it is over and done with. */
  void led() {
    goneLeader = null;
  }

  /** Waits a fresh while before standing. */
  void rest() {
    int timeoutMs = state.settings.electionTimeoutMs();
    deadlineMs = state.nowMs() + timeoutMs + draws.below(timeoutMs) + reluctanceMs(timeoutMs);
  }

  /** Waits for votes: they take as long as disks need for a term and a vote. */
  void restForVotes() {
    rest();
    int votesMs = (int) (2 * state.syncMs());
    if (votesMs > 0) {
      deadlineMs += votesMs + draws.below(2 * votesMs); // not all at one time
    }
  }

  /** After a lost round of the fast path: soon again, as long as the leader stays gone. */
  void restAfterDefeat() {
    restForVotes();
    if (goneLeader != null) {
      int steps = state.configuration().members().size() + rankWithout(goneLeader);
      long stepMs = Math.max(1, state.settings.fastPathStepMs());
      deadlineMs = Math.min(deadlineMs, state.nowMs() + steps * stepMs);
    }
  }

  /** The leader's process has provably ended: each voter stands at its own step. */
  void leaderGone(MemberId leader) {
    goneLeader = leader;
    faithUntilMs = state.nowMs();
    long stepMs = (long) rankWithout(leader) * state.settings.fastPathStepMs();
    deadlineMs = Math.min(deadlineMs, state.nowMs() + stepMs);
  }

  /** The leader whose process has ended; null once another is heard, or this one leads. */
  @Nullable MemberId goneLeader() {
    return goneLeader;
  }

  boolean isOver() {
    return state.nowMs() >= deadlineMs;
  }

  boolean keepsFaith() {
    return state.nowMs() < faithUntilMs;
  }

  long deadlineMs() {
    return deadlineMs;
  }

  private void keepFaith() {
    faithUntilMs = state.nowMs() + state.settings.electionTimeoutMs();
  }

  private int reluctanceMs(int timeoutMs) {
    Member row = state.configuration().memberOrNull(state.self);
    if (row == null) {
      return 0;
    }
    return row.isWitness() ? timeoutMs : row.priority() * timeoutMs / 8;
  }

  private int rankWithout(MemberId leader) {
    List<MemberId> order =
        state.configuration().voters().stream()
            .filter(voter -> !voter.id().equals(leader))
            .sorted(
                Comparator.comparing(Member::isWitness)
                    .thenComparing(Member::priority)
                    .thenComparing(Member::id))
            .map(Member::id)
            .toList();
    int rank = order.indexOf(state.self);
    return rank < 0 ? order.size() : rank;
  }
}
