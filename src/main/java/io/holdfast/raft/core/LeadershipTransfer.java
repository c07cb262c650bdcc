package io.holdfast.raft.core;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The transfer of leadership to a chosen member: proposals stop, the member catches up, and is told
 * to stand for election. If it does not lead within an election timeout, the transfer ends.
 */
final class LeadershipTransfer {

  private static final Comparator<Member> BY_PRIORITY =
      Comparator.comparing(Member::priority).thenComparing(Member::id);

  private final MemberState state;
  private final Replication replication;
  private final ReadRounds rounds;
  private @Nullable MemberId successor;
  private boolean told;
  private long untilMs;

  LeadershipTransfer(MemberState state, Replication replication, ReadRounds rounds) {
    this.state = state;
    this.replication = replication;
    this.rounds = rounds;
  }

  Optional<RaftRefusal> to(MemberId chosen) {
    if (successor != null) {
      return Optional.of(RaftRefusal.HANDING_OVER);
    }
    Member row = state.configuration().memberOrNull(chosen);
    boolean eligible =
        row != null
            && row.kind() == Member.Kind.VOTER
            && !chosen.equals(state.self)
            && state.configuration().votes(chosen);
    if (!eligible) {
      return Optional.of(RaftRefusal.NOT_ELIGIBLE);
    }
    rounds.endLease();
    successor = chosen;
    told = false;
    untilMs = state.nowMs() + state.settings.electionTimeoutMs();
    return Optional.empty();
  }

  /** Hands over to the full voter that lacks least, of those heard lately. */
  void toBest() {
    candidates()
        .max(
            Comparator.comparing((Member voter) -> replication.match(voter.id()))
                .thenComparing(BY_PRIORITY.reversed()))
        .ifPresent(best -> to(best.id()));
  }

  /** Hands over if a full voter that lacks nothing has a higher priority than this member. */
  void toHigherPriority() {
    int own = state.configuration().member(state.self).map(Member::priority).orElse(0);
    candidates()
        .filter(voter -> voter.priority() < own)
        .min(BY_PRIORITY)
        .filter(better -> replication.match(better.id()) == state.log.lastIndex())
        .ifPresent(better -> to(better.id()));
  }

  private Stream<Member> candidates() {
    long since = state.nowMs() - state.settings.electionTimeoutMs();
    return state.configuration().voters().stream()
        .filter(voter -> !voter.isWitness() && !voter.id().equals(state.self))
        .filter(voter -> isHeard(replication.follower(voter.id()), since));
  }

  /** Tells the successor to stand for election once it has everything. */
  void flush() {
    MemberId chosen = successor;
    if (chosen != null && !told && replication.match(chosen) == state.log.lastIndex()) {
      told = true;
      state.out.now(new Message.HandOver(state.self, chosen, state.term()));
    }
  }

  void tick() {
    if (successor != null && state.nowMs() >= untilMs) {
      successor = null;
    }
  }

  boolean isUnderWay() {
    return successor != null;
  }

  private static boolean isHeard(@Nullable Progress follower, long since) {
    return follower != null && follower.heardSince(since);
  }
}
