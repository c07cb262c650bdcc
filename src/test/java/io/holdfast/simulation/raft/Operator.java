package io.holdfast.simulation.raft;

import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.RaftCore;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The operator of a group: hands leadership over and changes the members, at bad moments, and
 * replaces a member that lost its directory by another.
 *
 * <p>One at a time is missing for good, and only where the others still are a quorum: more than
 * that no cluster survives.
 */
final class Operator {

  private static final int MAX_MEMBERS = 7;
  private static final int MAX_WITH_REPLACED = 9;

  private final RaftWorld world;
  private final SplittableRandom chance;
  private @Nullable SimulatedMember missing;
  private long missingSince;
  private @Nullable SimulatedMember substitute;

  Operator(RaftWorld world) {
    this.world = world;
    chance = world.chance().split();
  }

  /** Hands leadership over to anybody; says who did. */
  @Nullable SimulatedMember handOver() {
    SimulatedMember leader = world.leader();
    MemberId successor = world.anyMember().id();
    if (leader != null) {
      world.scheduler().note(leader + " hands over to " + successor);
      leader.input(core -> core.transferLeadership(successor));
    }
    return leader;
  }

  /** Begins some change, or a replacement that is due; says who was told. */
  @Nullable SimulatedMember changeMembers() {
    SimulatedMember leader = world.leader();
    RaftCore core = leader == null ? null : leader.core();
    if (leader == null || core == null || leader.isFrozen()) {
      return null;
    }
    if (isMissing(leader, core)) {
      replaceLost();
      return leader;
    }
    Configuration now = core.configuration();
    List<Member> target = new ArrayList<>(now.members());
    for (int changes = 1 + chance.nextInt(2); changes > 0; changes--) {
      change(target);
    }
    if (target.stream().noneMatch(row -> row.kind() == Member.Kind.VOTER)) {
      return null;
    }
    world.scheduler().note(leader + " changes " + now + " to " + target);
    leader.input(running -> running.changeMembers(target));
    return leader;
  }

  /** A member that the cluster can do without for good; null if there is none now. */
  @Nullable SimulatedMember dispensable() {
    SimulatedMember leader = world.leader();
    RaftCore core = leader == null ? null : leader.core();
    if (leader == null || core == null || isMissing(leader, core) || !allAgreeWith(leader, core)) {
      return null;
    }
    List<Member> rows = core.configuration().members();
    Member row = rows.get(chance.nextInt(rows.size()));
    boolean others =
        rows.stream().anyMatch(each -> each.kind() == Member.Kind.VOTER && !each.equals(row));
    long votes = rows.stream().filter(Operator::votes).count();
    boolean spare = !votes(row) || (votes >= 3 && others);
    if (!spare || world.members().size() >= MAX_WITH_REPLACED) {
      return null;
    }
    missingSince = core.configurationIndex();
    return world.member(row.id());
  }

  private static boolean votes(Member row) {
    return row.kind() != Member.Kind.LEARNER;
  }

  /* Then there is no other configuration anywhere that could still come into force. */
  private boolean allAgreeWith(SimulatedMember leader, RaftCore core) {
    if (leader.isFrozen() || core.configuration().isJoint() || !leader.isCommittedConfiguration()) {
      return false;
    }
    for (Member row : core.configuration().members()) {
      SimulatedMember member = world.member(row.id());
      RaftCore other = member == null ? null : member.core();
      if (other == null || other.configurationIndex() != core.configurationIndex()) {
        return false;
      }
    }
    return true;
  }

  /** Another member, with an id of its own, is to take the place of one that is lost. */
  void replace(SimulatedMember lost) {
    missing = lost;
    substitute = world.add(new MemberId(world.members().size() + 1));
    substitute.start();
    replaceLost();
  }

  /** Does what is left to do of a replacement. */
  void replaceLost() {
    SimulatedMember leader = world.leader();
    RaftCore core = leader == null ? null : leader.core();
    SimulatedMember lost = missing;
    SimulatedMember other = substitute;
    if (leader == null || core == null || lost == null || other == null || leader.isFrozen()) {
      return;
    }
    if (!core.configuration().everyone().contains(lost.id())) {
      return;
    }
    List<Member> target = new ArrayList<>(core.configuration().members());
    target.removeIf(row -> row.id().equals(lost.id()));
    if (target.stream().noneMatch(row -> row.id().equals(other.id()))) {
      target.add(Member.learner(other.id(), ""));
    }
    world.scheduler().note(leader + " replaces " + lost + " by " + other);
    leader.input(running -> running.changeMembers(target));
  }

  /* It is forgotten once a configuration without it is committed. */
  private boolean isMissing(SimulatedMember leader, RaftCore core) {
    SimulatedMember lost = missing;
    if (lost != null
        && core.configurationIndex() > missingSince
        && !core.configuration().everyone().contains(lost.id())
        && leader.isCommittedConfiguration()) {
      missing = null;
    }
    return missing != null;
  }

  private void change(List<Member> target) {
    int kind = chance.nextInt(10);
    if (target.isEmpty() || kind < 3) {
      enrol(target);
      return;
    }
    int at = chance.nextInt(target.size());
    Member row = target.get(at);
    if (kind < 4) {
      target.remove(at);
    } else if (row.kind() == Member.Kind.LEARNER) {
      boolean witness = chance.nextInt(5) == 0;
      target.set(at, row.as(witness ? Member.Kind.WITNESS : Member.Kind.VOTER));
    } else if (kind < 6 && !row.isWitness()) {
      target.set(at, row.as(Member.Kind.LEARNER));
    } else if (kind < 7) {
      target.set(at, row.withPriority(chance.nextInt(3)));
    }
  }

  private void enrol(List<Member> target) {
    SimulatedMember outsider = null;
    for (SimulatedMember member : world.members()) {
      if (!member.isLost() && target.stream().noneMatch(row -> row.id().equals(member.id()))) {
        outsider = member;
      }
    }
    if (outsider == null && world.members().size() < MAX_MEMBERS) {
      outsider = world.add(new MemberId(world.members().size() + 1));
      outsider.start();
    }
    if (outsider != null) {
      target.add(Member.learner(outsider.id(), ""));
    }
  }
}
