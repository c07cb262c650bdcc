package io.holdfast.raft.core;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes the configuration, on the leader.
 *
 * <p>Configuration safety: a change begins only when the configuration before is committed and the
 * leader has committed an entry of its own term; a change of votes goes through a joint
 * configuration. So any two configurations in force at one time share a voter in every pair of
 * quorums.
 */
final class MembershipChange {

  private final MemberState state;
  private final Replication replication;

  MembershipChange(MemberState state, Replication replication) {
    this.state = state;
    this.replication = replication;
  }

  /** Why the group may not become {@code target} now; empty if it may. */
  Optional<RaftRefusal> refusal(List<Member> target) {
    ConfigurationHistory history = state.log.configurations();
    boolean pending =
        history.current().isJoint()
            || history.currentIndex() > state.log.commit()
            || state.log.term(state.log.commit()) != state.term();
    if (pending) {
      return Optional.of(RaftRefusal.CHANGE_PENDING);
    }
    if (target.size() > Configuration.MAX_MEMBERS
        || target.stream().noneMatch(row -> row.kind() == Member.Kind.VOTER)
        || target.stream().map(Member::id).distinct().count() != target.size()) {
      return Optional.of(RaftRefusal.NOT_ELIGIBLE);
    }
    for (Member row : target) {
      Member before = history.current().memberOrNull(row.id());
      if (!mayBecome(before, row)) {
        return Optional.of(RaftRefusal.NOT_ELIGIBLE);
      }
      if (row.votes() && before != null && !before.votes() && !isCaughtUp(row.id())) {
        return Optional.of(RaftRefusal.NOT_CAUGHT_UP);
      }
    }
    return Optional.empty();
  }

  /** The configuration to append now that everything up to the commit index is settled, if any. */
  @Nullable Configuration next() {
    ConfigurationHistory history = state.log.configurations();
    return history.current().isJoint() && history.currentIndex() <= state.log.commit()
        ? history.current().settled()
        : null;
  }

  /* Members come as learners. A witness has no state to lead with, so it can only leave. */
  private static boolean mayBecome(@Nullable Member before, Member after) {
    if (before == null) {
      return !after.votes();
    }
    return switch (before.kind()) {
      case LEARNER -> true;
      case VOTER -> !after.isWitness();
      case WITNESS -> after.isWitness();
    };
  }

  private boolean isCaughtUp(MemberId learner) {
    Progress follower = replication.follower(learner);
    return follower != null
        && follower.heardSince(state.nowMs() - state.settings.electionTimeoutMs())
        && follower.match() > 0
        && state.log.lastIndex() - follower.match() <= state.settings.caughtUpWithin();
  }
}
