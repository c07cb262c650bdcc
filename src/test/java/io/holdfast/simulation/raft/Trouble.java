package io.holdfast.simulation.raft;

import io.holdfast.raft.core.MemberId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/** Everything that goes wrong, and when. */
final class Trouble {

  private static final int MEAN_GAP_US = 60_000;

  private final RaftWorld world;
  private final Operator operator;
  private final SplittableRandom chance;
  private boolean healed;

  Trouble(RaftWorld world, Operator operator) {
    this.world = world;
    this.operator = operator;
    chance = world.chance().split();
    world.onCrash(this::crashed);
  }

  void begin() {
    if (chance.nextInt(4) > 0) {
      world.network().worsen();
    }
    world.stallPercent(chance.nextInt(3) == 0 ? chance.nextInt(10) : 0);
    slowDisks();
    int drift = world.settings().leaseReads() ? 5 : 20;
    for (SimulatedMember member : world.members()) {
      member.clock().rate(1 + (chance.nextInt(2 * drift + 1) - drift) / 100.0);
    }
    again();
  }

  /** Disks that are slow for good, against election timeouts of 100 ms. */
  private void slowDisks() {
    int us = 10_000 + chance.nextInt(60_000);
    switch (chance.nextInt(10)) {
      case 0 -> world.slowDisks(us);
      case 1 -> world.slowDisk(world.anyMember().id(), us);
      default -> {}
    }
  }

  private void again() {
    world.scheduler().after(chance.nextInt(2 * MEAN_GAP_US), "trouble", this::strike);
  }

  private void strike() {
    if (healed) {
      return;
    }
    int kind = chance.nextInt(108);
    if (kind < 18) {
      crash(chance.nextInt(3) == 0 ? busiest() : victim());
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
    } else if (kind < 100) {
      loseConnection();
    } else if (kind < 105) {
      freeze(victim());
    } else {
      loseDirectory();
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
      member.clock().rate(1);
      member.disk().heal();
      member.thaw();
      start(member);
    }
  }

  private SimulatedMember victim() {
    SimulatedMember leader = world.leader();
    return leader != null && chance.nextInt(3) == 0 ? leader : world.anyMember();
  }

  /** The member that would lose most by a crash. */
  private SimulatedMember busiest() {
    return Collections.max(
        world.members(), Comparator.comparingInt(member -> member.disk().unsynced()));
  }

  private void crash(SimulatedMember member) {
    if (!member.isUp()) {
      return;
    }
    if (chance.nextInt(3) == 0 && member.crashesInWriting()) {
      return;
    }
    note(member + " crashes");
    member.crash();
    crashed(member);
  }

  private void crashed(SimulatedMember member) {
    SimulatedMember leader = world.leader();
    if (leader != null && chance.nextInt(6) == 0) {
      note(leader + " is cut off");
      isolate(leader);
    }
    findGone(member);
    world
        .scheduler()
        .after(
            chance.nextInt(3) == 0 ? chance.nextInt(10_000) : chance.nextInt(400_000),
            member + " starts",
            () -> {
              if (!healed && chance.nextInt(4) == 0 && !member.isUp()) {
                member.crashesInWriting();
              }
              start(member);
            });
  }

  private void findGone(SimulatedMember member) {
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
  }

  private static void start(SimulatedMember member) {
    if (!member.isUp() && !member.isLost()) {
      member.start();
    }
  }

  /* The others elect another leader meanwhile; this one wakes and believes that it still leads. */
  private void freeze(SimulatedMember member) {
    int forUs = 5_000 + chance.nextInt(chance.nextInt(3) == 0 ? 60_000 : 500_000);
    note(member + " is frozen");
    member.freeze();
    world.scheduler().after(forUs, member + " goes on", member::thaw);
  }

  private void loseDirectory() {
    SimulatedMember member = operator.dispensable();
    if (member != null) {
      note(member + " loses its directory");
      member.loseDirectory();
      findGone(member);
      operator.replace(member);
    }
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
    SimulatedMember leader = operator.handOver();
    if (leader != null && chance.nextInt(3) == 0) {
      soon("cut off in the middle", () -> isolate(leader));
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
    SimulatedMember leader = operator.changeMembers();
    int kind = chance.nextInt(6);
    if (leader != null && kind == 0) {
      soon("crash in the middle", () -> crash(leader));
    } else if (leader != null && kind == 1) {
      soon("cut in the middle", this::cut);
    }
  }

  private void note(String what) {
    world.scheduler().note(what);
  }
}
