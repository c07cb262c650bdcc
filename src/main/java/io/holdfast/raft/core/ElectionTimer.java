package io.holdfast.raft.core;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The election timer: decides when a member stands for election because its leader is silent, and
 * until when it sticks to a leader.
 *
 * <p>Leader stickiness: for the shortest election timeout after a message from a leader, a member
 * votes for no other candidate. So a removed or partly disconnected member cannot disturb a working
 * leader, and a leader lease counted from before that message is safe.
 *
 * <p>Each wait is random between one and two election timeouts, so that members seldom stand at the
 * same time. A lower priority waits a little longer, a witness a whole timeout longer.
 */
final class ElectionTimer {

  private final MemberState state;
  private final SeededRandom random;
  private long deadlineMs;
  private long stickyUntilMs;
  private @Nullable MemberId goneLeader;

  ElectionTimer(MemberState state, SeededRandom random) {
    this.state = state;
    this.random = random;
    if (state.settings.leaseReads()) {
      stickToLeader(); // a message from a leader may have been forgotten by the restart
    }
    reset();
  }

  /** A message from the leader of this term arrived. */
  void leaderHeard() {
    goneLeader = null;
    stickToLeader();
    reset();
  }

  /**
   * A message from a voter. If it was the leader whose process ended, another process of it runs.
   */
  void voterHeard(MemberId voter) {
    if (voter.equals(goneLeader)) {
      goneLeader = null;
    }
  }

  /** This member leads. The end of the former leader no longer matters. */
  void becameLeader() {
    goneLeader = null;
  }

  /** Starts the timer again, with a new random wait. */
  void reset() {
    int timeoutMs = state.settings.electionTimeoutMs();
    deadlineMs = state.nowMs() + timeoutMs + random.below(timeoutMs) + extraDelayMs(timeoutMs);
  }

  /**
   * Starts the timer again to wait for votes, which take as long as disks need for a term and a
   * vote.
   */
  void resetForVotes() {
    reset();
    int votesMs = (int) (2 * state.syncMs());
    if (votesMs > 0) {
      deadlineMs += votesMs + random.below(2 * votesMs); // not all at one time
    }
  }

  /** Starts the timer again after a lost election. On the fast path it is short. */
  void resetAfterDefeat() {
    resetForVotes();
    if (goneLeader != null) {
      int steps = state.configuration().members().size() + rankWithout(goneLeader);
      long stepMs = Math.max(1, state.settings.fastPathStepMs());
      deadlineMs = Math.min(deadlineMs, state.nowMs() + steps * stepMs);
    }
  }

  /** The leader's process has provably ended. Each voter stands after its own number of steps. */
  void leaderGone(MemberId leader) {
    goneLeader = leader;
    stickyUntilMs = state.nowMs();
    long stepMs = (long) rankWithout(leader) * state.settings.fastPathStepMs();
    deadlineMs = Math.min(deadlineMs, state.nowMs() + stepMs);
  }

  /** The leader whose process has ended; null once another is heard, or this one leads. */
  @Nullable MemberId goneLeader() {
    return goneLeader;
  }

  boolean hasExpired() {
    return state.nowMs() >= deadlineMs;
  }

  boolean sticksToLeader() {
    return state.nowMs() < stickyUntilMs;
  }

  long deadlineMs() {
    return deadlineMs;
  }

  private void stickToLeader() {
    stickyUntilMs = state.nowMs() + state.settings.electionTimeoutMs();
  }

  private int extraDelayMs(int timeoutMs) {
    Member self = state.configuration().memberOrNull(state.self);
    if (self == null) {
      return 0;
    }
    return self.isWitness() ? timeoutMs : self.priority() * timeoutMs / 8;
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
