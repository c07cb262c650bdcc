package io.holdfast.raft.node;

import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import java.util.ArrayList;
import java.util.List;

/**
 * The plan that every initial member is given before the first start: the initial members, and the
 * cluster's terms. It must be the same on all of them; a difference keeps the cluster from being
 * founded.
 *
 * @param members the initial members, which have no ids yet
 * @param shards the number of the cluster's shards, for ever
 * @param settingsHash a hash over the settings that all members must share
 */
public record FoundingPlan(List<PlannedMember> members, int shards, long settingsHash) {

  /** One initial member. */
  public record PlannedMember(String address, Member.Kind kind, int priority) {

    public static PlannedMember voter(String address) {
      return new PlannedMember(address, Member.Kind.VOTER, 0);
    }
  }

  public FoundingPlan {
    members = List.copyOf(members);
    if (members.stream().map(PlannedMember::address).distinct().count() != members.size()) {
      throw new IllegalArgumentException("an address is there twice in " + members);
    }
    requireConfiguration(members);
  }

  /** Whatever the ids will be, they must make a configuration; better refused now than then. */
  private static void requireConfiguration(List<PlannedMember> members) {
    List<Member> numbered = new ArrayList<>();
    for (PlannedMember planned : members) {
      MemberId id = new MemberId(numbered.size() + 1);
      numbered.add(new Member(id, planned.kind(), planned.priority(), planned.address()));
    }
    var unused = Configuration.of(numbered);
  }

  /** True if this address is that of an initial member. */
  boolean includes(String address) {
    return members.stream().anyMatch(planned -> planned.address().equals(address));
  }
}
