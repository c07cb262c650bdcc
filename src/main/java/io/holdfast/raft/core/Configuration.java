package io.holdfast.raft.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The members of a group, and the voters they are replacing while a change is under way.
 *
 * <p>While {@code outgoing} is not empty the configuration is <em>joint</em>: every decision needs
 * a majority of the voters in {@code members} and a majority of {@code outgoing}. A joint
 * configuration is always followed by the simple one with the same members.
 *
 * @param members the members of the group, sorted by id
 * @param outgoing the voters of the configuration before, sorted by id; empty unless joint
 */
public record Configuration(List<Member> members, List<Member> outgoing) {

  /** The most members, of any kind, in one group. */
  public static final int MAX_MEMBERS = 32;

  /** The configuration of a directory that belongs to no cluster. */
  public static final Configuration NONE = new Configuration(List.of(), List.of());

  public Configuration {
    members = sorted(members);
    outgoing = sorted(outgoing);
    if (members.size() > MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "[" + members.size() + "] members exceed the maximum [" + MAX_MEMBERS + "]");
    }
    if (!members.isEmpty() && members.stream().noneMatch(Configuration::mayLead)) {
      throw new IllegalArgumentException("no full voter among " + members);
    }
    if (!outgoing.stream().allMatch(Member::votes)) {
      throw new IllegalArgumentException("not all of " + outgoing + " vote");
    }
  }

  public static Configuration of(Member... members) {
    return new Configuration(List.of(members), List.of());
  }

  public static Configuration of(List<Member> members) {
    return new Configuration(members, List.of());
  }

  public boolean isJoint() {
    return !outgoing.isEmpty();
  }

  public boolean isNone() {
    return members.isEmpty();
  }

  /** The row of a member, also of one that is on its way out. */
  public @Nullable Member memberOrNull(MemberId id) {
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).id().equals(id)) {
        return members.get(i);
      }
    }
    for (int i = 0; i < outgoing.size(); i++) {
      if (outgoing.get(i).id().equals(id)) {
        return outgoing.get(i);
      }
    }
    return null;
  }

  public Optional<Member> member(MemberId id) {
    return Optional.ofNullable(memberOrNull(id));
  }

  public boolean contains(MemberId id) {
    return memberOrNull(id) != null;
  }

  /** True if the member has a vote, in the members or among those on their way out. */
  public boolean votes(MemberId id) {
    return hasVote(members, id) || hasVote(outgoing, id);
  }

  public boolean isWitness(MemberId id) {
    Member member = memberOrNull(id);
    return member != null && member.isWitness();
  }

  /** Everyone a leader replicates to, itself included. */
  public Set<MemberId> everyone() {
    Set<MemberId> ids = new TreeSet<>();
    members.forEach(member -> ids.add(member.id()));
    outgoing.forEach(member -> ids.add(member.id()));
    return ids;
  }

  /** The voters of the members, without those on their way out. */
  public List<Member> voters() {
    return members.stream().filter(Member::votes).toList();
  }

  /**
   * The configuration to append first when the group is to become {@code target}: joint if a vote
   * is won or lost, otherwise {@code target} itself.
   */
  public Configuration towards(List<Member> target) {
    Configuration simple = of(target);
    return ids(voters()).equals(ids(simple.voters()))
        ? simple
        : new Configuration(target, voters());
  }

  /** The simple configuration that a joint one ends in. */
  public Configuration settled() {
    return new Configuration(members, List.of());
  }

  private static boolean mayLead(Member member) {
    return member.kind() == Member.Kind.VOTER;
  }

  private static boolean hasVote(List<Member> rows, MemberId id) {
    for (int i = 0; i < rows.size(); i++) {
      Member member = rows.get(i);
      if (member.id().equals(id)) {
        return member.votes();
      }
    }
    return false;
  }

  private static Set<MemberId> ids(List<Member> rows) {
    Set<MemberId> ids = new HashSet<>();
    rows.forEach(member -> ids.add(member.id()));
    return ids;
  }

  private static List<Member> sorted(List<Member> rows) {
    if (rows.size() != ids(rows).size()) {
      throw new IllegalArgumentException("a member stands twice in " + rows);
    }
    List<Member> copy = new ArrayList<>(rows);
    copy.sort(Comparator.comparing(Member::id));
    return List.copyOf(copy);
  }

  @Override
  public String toString() {
    return isJoint() ? members + " from " + outgoing : members.toString();
  }
}
