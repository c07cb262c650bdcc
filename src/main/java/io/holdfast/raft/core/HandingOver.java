package io.holdfast.raft.core;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A leader's handing over to a chosen member: proposals stop, the member catches up and is told to
 * stand. If it has not taken over within an election timeout, the leader goes on.
 */
final class HandingOver {

  private static final Comparator<Member> MOST_WILLING =
      Comparator.comparing(Member::priority).thenComparing(Member::id);

  private final MemberState state;
  private final Replication replication;
  private final ReadRounds rounds;
  private @Nullable MemberId successor;
  private boolean told;
  private long untilMs;

  HandingOver(MemberState state, Replication replication, ReadRounds rounds) {
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
                .thenComparing(MOST_WILLING.reversed()))
        .ifPresent(best -> to(best.id()));
  }

  /** Hands over if a full voter that lacks nothing is more willing than this member. */
  void toMoreWilling() {
    int own = state.configuration().member(state.self).map(Member::priority).orElse(0);
    candidates()
        .filter(voter -> voter.priority() < own)
        .min(MOST_WILLING)
        .filter(better -> replication.match(better.id()) == state.log.lastIndex())
        .ifPresent(better -> to(better.id()));
  }

  private Stream<Member> candidates() {
    long since = state.nowMs() - state.settings.electionTimeoutMs();
    return state.configuration().voters().stream()
        .filter(voter -> !voter.isWitness() && !voter.id().equals(state.self))
        .filter(voter -> isHeard(replication.follower(voter.id()), since));
  }

  /** Tells the successor to stand once it has everything. */
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
