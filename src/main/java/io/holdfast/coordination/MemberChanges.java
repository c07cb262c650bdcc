package io.holdfast.coordination;

import io.holdfast.coordination.AdminRefused.Reason;
import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The rules of an operator's changes: what the members become, or why they may not. */
final class MemberChanges {

  private MemberChanges() {}

  /** With a seat at this address, unless a learner has it. */
  static List<Member> add(List<Member> members, String address, MemberId seat) {
    for (Member member : members) {
      if (member.address().equals(address)) {
        if (member.votes()) {
          throw new AdminRefused(
              Reason.MEMBER_EXISTS, "log_address [" + address + "] is that of a member that votes");
        }
        return members;
      }
    }
    if (members.size() >= Configuration.MAX_MEMBERS) {
      throw new AdminRefused(
          Reason.TOO_MANY_MEMBERS,
          "there are [%d] members, the maximum".formatted(Configuration.MAX_MEMBERS));
    }
    List<Member> target = new ArrayList<>(members);
    target.add(Member.learner(seat, address));
    return target;
  }

  /** With a vote for this learner. */
  static List<Member> promote(List<Member> members, MemberId id) {
    Member member = member(members, id);
    return switch (member.kind()) {
      case VOTER -> members;
      case WITNESS ->
          throw new AdminRefused(
              Reason.NOT_ELIGIBLE,
              "[" + name(id) + "] is a witness, and has no state to lead with");
      case LEARNER ->
          members.stream()
              .map(row -> row.id().equals(id) ? row.as(Member.Kind.VOTER) : row)
              .toList();
    };
  }

  /**
   * Without this member.
   *
   * @param alive the members whose nodes live
   */
  static List<Member> remove(List<Member> members, MemberId id, Set<MemberId> alive) {
    Member leaving = member(members, id);
    List<Member> target = members.stream().filter(row -> !row.id().equals(id)).toList();
    if (target.stream().noneMatch(row -> row.kind() == Member.Kind.VOTER)) {
      throw new AdminRefused(
          Reason.NOT_ELIGIBLE, "[" + name(id) + "] is the last voter of its cluster");
    }
    List<Member> voters = target.stream().filter(Member::votes).toList();
    long living =
        voters.stream().filter(row -> row.isWitness() || alive.contains(row.id())).count();
    if (leaving.votes() && living * 2 <= voters.size()) {
      throw new AdminRefused(
          Reason.NOT_ELIGIBLE,
          "without [%s] only [%d] of [%d] voters are alive, and nothing could be decided"
              .formatted(name(id), living, voters.size()));
    }
    return target;
  }

  static Member member(List<Member> members, MemberId id) {
    return members.stream()
        .filter(row -> row.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new AdminRefused(
                    Reason.NO_SUCH_MEMBER, "member_id [" + name(id) + "] is of no member"));
  }

  static String name(MemberId id) {
    return Long.toHexString(id.value());
  }
}
