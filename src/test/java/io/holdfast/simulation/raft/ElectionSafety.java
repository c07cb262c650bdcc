package io.holdfast.simulation.raft;

import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;
import io.holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.Map;

/** A term has at most one leader, and a member votes for at most one candidate in it. */
final class ElectionSafety implements Invariant {

  private record Ballot(MemberId voter, long term) {}

  private final Map<Long, MemberId> leaders = new HashMap<>();
  private final Map<Ballot, MemberId> votes = new HashMap<>();

  @Override
  public void elected(SimulatedMember member, long term) {
    MemberId other = leaders.putIfAbsent(term, member.id());
    if (other != null && !other.equals(member.id())) {
      throw new Violation("ElectionSafety", other + " and " + member + " lead term " + term);
    }
  }

  @Override
  public void sent(SimulatedMember member, Message message) {
    if (message instanceof Message.VoteResponse vote && vote.granted() && !vote.preVote()) {
      MemberId other = votes.putIfAbsent(new Ballot(vote.from(), vote.term()), vote.to());
      if (other != null && !other.equals(vote.to())) {
        throw new Violation(
            "ElectionSafety",
            member + " votes for " + other + " and " + vote.to() + " in term " + vote.term());
      }
    }
  }
}
