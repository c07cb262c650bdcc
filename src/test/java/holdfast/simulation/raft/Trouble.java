package holdfast.simulation.raft;

import holdfast.raft.core.Configuration;
import holdfast.raft.core.Member;
import holdfast.raft.core.MemberId;
import holdfast.raft.core.RaftCore;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Everything that goes wrong, and what an operator does meanwhile. */
final class Trouble {

  private static final int MEAN_GAP_US = 60_000;
  private static final int MAX_MEMBERS = 7;

  private final RaftWorld world;
  private final SplittableRandom chance;
  private boolean healed;

  Trouble(RaftWorld world) {
    this.world = world;
    chance = world.chance().split();
  }

  void begin() {
    if (chance.nextInt(4) > 0) {
      world.network().worsen();
    }
    world.stallPercent(chance.nextInt(3) == 0 ? chance.nextInt(10) : 0);
    int drift = world.settings().leaseReads() ? 5 : 20;
    for (SimulatedMember member : world.members()) {
      member.clockRate(1 + (chance.nextInt(2 * drift + 1) - drift) / 100.0);
    }
    again();
  }

  private void again() {
    world.scheduler().after(chance.nextInt(2 * MEAN_GAP_US), "trouble", this::strike);
  }

  private void strike() {
    if (healed) {
      return;
    }
    int kind = chance.nextInt(100);
    if (kind < 18) {
      crash(victim());
    } else if (kind < 20) {
      new ArrayList<>(world.members()).forEach(this::crash);
    } else if (kind < 38) {
      cut();
    } else if (kind < 50) {
      note("network mended");
      world.network().mend();
    } else if (kind < 68) {
      victim().takeSnapshot();
    } else if (kind < 78) {
      handOver();
    } else if (kind < 92) {
      changeMembers();
    } else if (kind < 95) {
      suspect();
    } else if (kind < 97) {
      refuseLeader();
    } else if (kind < 99) {
      forgetLeader();
    } else {
      loseConnection();
    }
    again();
  }

  /** Ends all trouble for good. */
  void heal() {
    healed = true;
    note("healed");
    world.network().heal();
    world.stallPercent(0);
    for (SimulatedMember member : world.members()) {
      member.clockRate(1);
      if (!member.isUp()) {
        member.start();
      }
    }
  }

  private SimulatedMember victim() {
    SimulatedMember leader = world.leader();
    return leader != null && chance.nextInt(3) == 0 ? leader : world.anyMember();
  }

  private void crash(SimulatedMember member) {
    if (!member.isUp()) {
      return;
    }
    note(member + " crashes");
    member.crash();
    SimulatedMember leader = world.leader();
    if (leader != null && chance.nextInt(6) == 0) {
      note(leader + " is cut off");
      isolate(leader);
    }
    for (SimulatedMember other : world.members()) {
      if (chance.nextInt(3) > 0) {
        world
            .scheduler()
            .after(
                500 + chance.nextInt(6_000),
                other + " finds " + member + " gone",
                () -> other.input(core -> core.peerGone(member.id())));
      }
    }
    world
        .scheduler()
        .after(
            chance.nextInt(3) == 0 ? chance.nextInt(10_000) : chance.nextInt(400_000),
            member + " starts",
            () -> {
              if (!member.isUp()) {
                member.start();
              }
            });
  }

  private void cut() {
    List<SimulatedMember> all = new ArrayList<>(world.members());
    boolean bothWays = chance.nextInt(3) > 0;
    boolean[] side = new boolean[all.size()];
    SimulatedMember alone = chance.nextBoolean() ? victim() : null;
    for (int i = 0; i < side.length; i++) {
      side[i] = alone == null ? chance.nextBoolean() : all.get(i) == alone;
    }
    note("network cut" + (bothWays ? "" : " one way") + (alone == null ? "" : " around " + alone));
    for (int i = 0; i < side.length; i++) {
      for (int j = 0; j < side.length; j++) {
        if (side[i] != side[j] && (bothWays || side[i])) {
          world.network().cut(all.get(i).id(), all.get(j).id());
        }
      }
    }
  }

  private void handOver() {
    SimulatedMember leader = world.leader();
    MemberId successor = world.anyMember().id();
    if (leader != null) {
      note(leader + " hands over to " + successor);
      leader.input(core -> core.handOver(successor));
      if (chance.nextInt(3) == 0) {
        soon("cut off in the middle", () -> isolate(leader));
      }
    }
  }

  /* A firewall that refuses looks like a process that ended; without leases that does no harm. */
  private void suspect() {
    SimulatedMember leader = world.leader();
    SimulatedMember member = world.anyMember();
    if (leader != null) {
      note(member + " wrongly finds " + leader + " gone");
      member.input(core -> core.peerGone(leader.id()));
    }
  }

  /* A firewall that cuts the leader off and refuses in its name. */
  private void refuseLeader() {
    SimulatedMember leader = world.leader();
    if (leader == null) {
      return;
    }
    note(leader + " is cut off and refused for");
    isolate(leader);
    for (SimulatedMember other : world.members()) {
      if (other != leader) {
        other.input(core -> core.peerGone(leader.id()));
      }
    }
  }

  /* One member no longer hears the leader and wants another; soon after, the rest restart and may
  have forgotten whom they followed, while the leader is cut off and knows nothing. */
  private void forgetLeader() {
    SimulatedMember leader = world.leader();
    List<SimulatedMember> others = new ArrayList<>(world.members());
    others.remove(leader);
    if (leader == null || others.size() < 2) {
      return;
    }
    SimulatedMember deaf = others.remove(chance.nextInt(others.size()));
    note(deaf + " is deaf to " + leader);
    world.network().cut(leader.id(), deaf.id());
    world
        .scheduler()
        .after(
            100_000 + chance.nextInt(150_000),
            others + " restart",
            () -> {
              if (!healed) {
                others.stream().filter(SimulatedMember::isUp).forEach(Trouble::restart);
                isolate(leader);
              }
            });
  }

  private static void restart(SimulatedMember member) {
    member.crash();
    member.start();
  }

  private void isolate(SimulatedMember member) {
    for (SimulatedMember other : world.members()) {
      if (other != member) {
        world.network().cut(other.id(), member.id());
        world.network().cut(member.id(), other.id());
      }
    }
  }

  private void soon(String what, Runnable action) {
    world
        .scheduler()
        .after(
            chance.nextInt(8_000),
            what,
            () -> {
              if (!healed) {
                action.run();
              }
            });
  }

  private void loseConnection() {
    MemberId peer = world.anyMember().id();
    world.anyMember().input(core -> core.connectionLost(peer));
  }

  private void changeMembers() {
    SimulatedMember leader = world.leader();
    RaftCore core = leader == null ? null : leader.core();
    if (leader == null || core == null) {
      return;
    }
    Configuration now = core.configuration();
    List<Member> target = new ArrayList<>(now.members());
    for (int changes = 1 + chance.nextInt(2); changes > 0; changes--) {
      change(target);
    }
    if (target.stream().anyMatch(row -> row.standing() == Member.Standing.VOTER)) {
      note(leader + " changes " + now + " to " + target);
      leader.input(running -> running.changeMembers(target));
      int kind = chance.nextInt(6);
      if (kind == 0) {
        soon("crash in the middle", () -> crash(leader));
      } else if (kind == 1) {
        soon("cut in the middle", this::cut);
      }
    }
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
    } else if (row.standing() == Member.Standing.LEARNER) {
      boolean witness = chance.nextInt(5) == 0;
      target.set(at, row.as(witness ? Member.Standing.WITNESS : Member.Standing.VOTER));
    } else if (kind < 6 && !row.isWitness()) {
      target.set(at, row.as(Member.Standing.LEARNER));
    } else if (kind < 7) {
      target.set(at, row.withPriority(chance.nextInt(3)));
    }
  }

  private void enrol(List<Member> target) {
    SimulatedMember outsider = null;
    for (SimulatedMember member : world.members()) {
      if (target.stream().noneMatch(row -> row.id().equals(member.id()))) {
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

  private void note(String what) {
    world.scheduler().note(what);
  }
}
