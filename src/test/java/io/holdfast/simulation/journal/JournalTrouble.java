package io.holdfast.simulation.journal;

import io.holdfast.coordination.state.NodeId;
import io.holdfast.raft.core.MemberId;
import io.holdfast.simulation.raft.SimulatedMember;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Everything that goes wrong, and when. */
final class JournalTrouble implements JournalWorld.Shutdown {

  private static final double DRIFT = 0.01;

  private final SplittableRandom chance;
  private final int meanGapUs;
  private JournalWorld world;
  private final Map<SimulatedMember, Long> downUntilUs = new HashMap<>();
  private long darkUntilUs;
  private boolean healed;
  private @Nullable MemberOperator operator;

  @SuppressWarnings("NullAway.Init")
  JournalTrouble(SplittableRandom chance) {
    this.chance = chance;
    meanGapUs = 100_000 + chance.nextInt(250_000);
  }

  /** Has those come back that end; nothing else happens to them. */
  void watch(JournalWorld in) {
    world = in;
    world.raft().onCrash(this::crashed);
  }

  void begin(JournalWorld in) {
    watch(in);
    if (chance.nextInt(4) > 0) {
      world.raft().network().worsen();
    }
    world.raft().stallPercent(chance.nextInt(3) == 0 ? chance.nextInt(10) : 0);
    for (SimulatedMember member : world.raft().members()) {
      member.clock().rate(rate());
      member.clock().wallRate(rate());
    }
    again();
  }

  /** Has members come and go. */
  void changeMembers(SplittableRandom by) {
    operator = new MemberOperator(world, this, by);
  }

  /** The trouble that goes on though all is healed; null if there is none. */
  @Nullable String unmended() {
    if (world.quarantine().isOn()) {
      return "two nodes do not speak, and nobody ends one of them";
    }
    MemberOperator changes = operator;
    return changes != null && changes.isBusy() ? "a change of members has no end" : null;
  }

  private double rate() {
    return chance.nextInt(3) == 0
        ? 1 + (chance.nextBoolean() ? DRIFT : -DRIFT)
        : 1 + chance.nextDouble(-DRIFT, DRIFT);
  }

  private void again() {
    world.scheduler().after(chance.nextInt(2 * meanGapUs), "trouble", this::strike);
  }

  private void strike() {
    if (healed) {
      return;
    }
    SimulatedMember victim = victim();
    int kind = chance.nextInt(100);
    if (kind < 14) {
      crash(victim);
    } else if (kind < 16) {
      new ArrayList<>(world.raft().members()).forEach(this::crash);
    } else if (kind < 34) {
      freeze(victim, 5_000 + chance.nextInt(chance.nextBoolean() ? 200_000 : 1_400_000));
    } else if (kind < 42) {
      cut(victim);
    } else if (kind < 60) {
      note("network mended");
      world.raft().network().mend();
    } else if (kind < 72) {
      firewall(victim);
    } else if (kind < 76) {
      MemberId peer = world.raft().anyMember().id();
      note(victim + " loses its connection to " + peer);
      victim.input(core -> core.connectionLost(peer));
    } else if (kind < 86) {
      victim.takeSnapshot();
    } else if (kind < 90) {
      victim.clock().stepWall(chance.nextInt(100));
    } else if (kind < 93) {
      handOver();
    } else if (kind < 96) {
      cutInAkka(victim);
    } else {
      leave(victim);
    }
    again();
  }

  /** All processes end, and none comes back for this long. */
  void blackOut(long forUs) {
    note("all nodes are down");
    darkUntilUs = world.nowUs() + forUs;
    new ArrayList<>(world.raft().members()).forEach(this::crash);
  }

  /** Ends all trouble for good. */
  void heal() {
    healed = true;
    note("healed");
    world.quarantine().end();
    if (operator != null) {
      operator.end();
    }
    world.raft().network().heal();
    world.raft().stallPercent(0);
    for (SimulatedMember member : world.raft().members()) {
      member.thaw();
      start(member);
      NodeProcess process = world.processOf(member);
      if (process != null) {
        process.cannotReach(Set.of());
      }
    }
  }

  private SimulatedMember victim() {
    SimulatedMember leader = world.raft().leader();
    return leader != null && chance.nextInt(4) == 0 ? leader : world.raft().anyMember();
  }

  private void crash(SimulatedMember member) {
    if (member.isUp()) {
      note(member + " crashes");
      member.crash();
      crashed(member);
    }
  }

  /** A process whose session has ended stops, and another begins. */
  @Override
  public void exits(SimulatedMember member) {
    crash(member);
  }

  @Override
  public void kills(SimulatedMember member, long downUs) {
    downUntilUs.put(member, world.nowUs() + downUs);
    crash(member);
  }

  private void crashed(SimulatedMember member) {
    findGone(member);
    int downUs = chance.nextInt(3) == 0 ? chance.nextInt(20_000) : chance.nextInt(800_000);
    world.scheduler().after(downUs, member + " starts", () -> start(member));
  }

  private void findGone(SimulatedMember member) {
    world.ended(member);
    for (SimulatedMember other : world.raft().members()) {
      if (other != member && chance.nextInt(4) > 0) {
        world
            .scheduler()
            .after(
                500 + chance.nextInt(6_000),
                other + " finds " + member + " gone",
                () -> other.findsGone(member.id()));
      }
    }
  }

  private void start(SimulatedMember member) {
    long darkUs = Math.max(darkUntilUs, downUntilUs.getOrDefault(member, 0L)) - world.nowUs();
    if (darkUs > 0) {
      world.scheduler().after(darkUs, member + " starts", () -> start(member));
    } else if (!member.isUp() && (operator == null || !operator.isStopped(member))) {
      member.clock().goOn();
      member.start();
    }
  }

  private void freeze(SimulatedMember member, int forUs) {
    boolean isSuspended = chance.nextInt(3) == 0;
    note(member + (isSuspended ? " is suspended" : " is frozen"));
    if (isSuspended && member.isUp()) {
      member.clock().stop();
    }
    member.freeze();
    world.scheduler().after(forUs, member + " goes on", member::thaw);
  }

  private void cut(SimulatedMember alone) {
    boolean bothWays = chance.nextInt(3) > 0;
    note(alone + " is cut off" + (bothWays ? "" : " one way"));
    for (SimulatedMember other : world.raft().members()) {
      if (other != alone) {
        world.raft().network().cut(alone.id(), other.id());
        if (bothWays) {
          world.raft().network().cut(other.id(), alone.id());
        }
      }
    }
    mendSoon();
  }

  /* It is cut off and refused for, so that all others find it gone, while it runs on. */
  private void firewall(SimulatedMember member) {
    note(member + " is refused for");
    isolate(member);
    for (SimulatedMember other : others(member)) {
      world
          .scheduler()
          .after(chance.nextInt(5_000), "port refused", () -> other.findsGone(member.id()));
    }
    mendSoon();
  }

  private void mendSoon() {
    if (chance.nextInt(3) > 0) {
      world
          .scheduler()
          .after(chance.nextInt(1_500_000), "network mended", world.raft().network()::mend);
    }
  }

  private void isolate(SimulatedMember member) {
    for (SimulatedMember other : others(member)) {
      world.raft().network().cut(other.id(), member.id());
      world.raft().network().cut(member.id(), other.id());
    }
  }

  private void handOver() {
    SimulatedMember leader = world.raft().leader();
    if (leader != null) {
      MemberId successor = world.raft().anyMember().id();
      leader.input(core -> core.transferLeadership(successor));
    }
  }

  /* Some cannot reach it by Akka's links, and say so until all is healed. */
  private void cutInAkka(SimulatedMember member) {
    for (SimulatedMember other : others(member)) {
      NodeProcess process = world.processOf(other);
      if (process != null && chance.nextBoolean()) {
        note(other + " cannot reach " + member + " in Akka");
        other.later(
            0, "reports", () -> process.cannotReach(Set.of(new NodeId(member.id().value()))));
      }
    }
  }

  void leave(SimulatedMember member) {
    NodeProcess process = world.processOf(member);
    if (process != null) {
      note(member + " leaves");
      member.later(world.tenancy().leavesUs(process), "leaves", process::leave);
    }
  }

  // ------------------------------------------------------------------ members that change

  /** A member comes with an empty directory. */
  void comes(MemberId id) {
    SimulatedMember member = world.raft().add(id);
    note(member + " comes");
    if (!healed) {
      member.clock().rate(rate());
      member.clock().wallRate(rate());
    }
    start(member);
  }

  /** Its process ends, and its directory is lost. */
  void loses(SimulatedMember member) {
    member.loseDirectory();
    findGone(member);
  }

  /** It was removed, and is gone for good. */
  void goes(SimulatedMember member) {
    note(member + " is gone");
    loses(member);
    world.raft().forget(member.id());
    world.tenancy().removed(member.id());
  }

  private List<SimulatedMember> others(SimulatedMember member) {
    return world.raft().members().stream().filter(other -> other != member).toList();
  }

  private void note(String what) {
    world.scheduler().note(what);
  }
}
