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
 * @param seats the initial members, which have no ids yet
 * @param shards how many shards the cluster has, for ever
 * @param settingsHash a hash over the settings that all members must share
 */
public record FoundingPlan(List<Seat> seats, int shards, long settingsHash) {

  /** One initial member. */
  public record Seat(String address, Member.Kind kind, int priority) {

    public static Seat voter(String address) {
      return new Seat(address, Member.Kind.VOTER, 0);
    }
  }

  public FoundingPlan {
    seats = List.copyOf(seats);
    if (seats.stream().map(Seat::address).distinct().count() != seats.size()) {
      throw new IllegalArgumentException("an address stands twice in " + seats);
    }
    requireConfiguration(seats);
  }

  /** Whatever the ids will be, they must make a configuration; better refused now than then. */
  private static void requireConfiguration(List<Seat> seats) {
    List<Member> members = new ArrayList<>();
    for (Seat seat : seats) {
      MemberId id = new MemberId(members.size() + 1);
      members.add(new Member(id, seat.kind(), seat.priority(), seat.address()));
    }
    var unused = Configuration.of(members);
  }

  /** True if this address is that of an initial member. */
  boolean seats(String address) {
    return seats.stream().anyMatch(seat -> seat.address().equals(address));
  }
}
