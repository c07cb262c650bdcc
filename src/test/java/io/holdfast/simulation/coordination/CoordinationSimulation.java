package io.holdfast.simulation.coordination;

import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.EndedSession;
import io.holdfast.coordination.state.FormationId;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.Session;
import io.holdfast.id.ShardId;
import io.holdfast.simulation.Scheduler;
import io.holdfast.simulation.Violation;
import io.holdfast.simulation.coordination.SimulatedLog.Ownership;
import io.holdfast.simulation.coordination.SimulatedMachine.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The life of one small cluster in true time, which no machine knows: machines with drifting clocks
 * keep their sessions over lossy links, while leaders change and processes freeze and crash.
 */
public final class CoordinationSimulation {

  static final int SHARDS = 2;

  private static final int MACHINES = 3;
  private static final long TROUBLE_US = 30_000_000;
  private static final long CALM_US = 12_000_000;

  final Scheduler scheduler = new Scheduler();
  final SimulatedLog log = new SimulatedLog(SHARDS);
  private final SplittableRandom random;
  private final List<SimulatedMachine> machines = new ArrayList<>();
  private int loss;
  private boolean isElecting;

  private CoordinationSimulation(long seed) {
    random = new SplittableRandom(seed);
  }

  /** The failure with this seed; null if there was none. */
  public static @Nullable String failure(long seed) {
    CoordinationSimulation world = new CoordinationSimulation(seed);
    try {
      world.run();
      return null;
    } catch (RuntimeException e) {
      return "seed " + seed + ": " + e + "\n" + world.scheduler.past();
    }
  }

  /** The numbers of accepted writes and of expired sessions with this seed. */
  static long[] traffic(long seed) {
    CoordinationSimulation world = new CoordinationSimulation(seed);
    world.run();
    return new long[] {world.log.accepted(), world.log.expired()};
  }

  boolean isCalm() {
    return scheduler.nowUs() >= TROUBLE_US;
  }

  int lossPercent() {
    return isCalm() ? 0 : loss;
  }

  /** A command reaches the leader; without one it is lost. */
  void propose(long delayUs, CoordinationCommand command, Answer answer) {
    scheduler.after(
        delayUs,
        command,
        () -> {
          if (!isElecting) {
            CoordinationVerdict verdict = commit(command);
            answer.answered(verdict, log.index());
          }
        });
  }

  void append(long delayUs, Ownership under, long token) {
    scheduler.after(delayUs, under, () -> log.append(under, token));
  }

  private void run() {
    for (int i = 1; i <= MACHINES; i++) {
      machines.add(new SimulatedMachine(this, new NodeId(i), random.split()));
    }
    loss = random.nextInt(40);
    elect();
    trouble();
    while (scheduler.step(TROUBLE_US)) {
      check();
    }
    while (scheduler.step(TROUBLE_US + CALM_US)) {
      check();
    }
    long joined = log.state().sessions().stream().filter(Session::isJoined).count();
    if (joined < MACHINES) {
      throw new Violation("I12 Live", "only [" + joined + "] have joined after a time of calm");
    }
  }

  private CoordinationVerdict commit(CoordinationCommand command) {
    CoordinationVerdict verdict = log.commit(command);
    for (EndedSession ended : verdict.ended()) {
      if (ended.cause() == EndedSession.Cause.EXPIRED) {
        requireStopped(ended.session());
      }
    }
    machines.forEach(machine -> machine.committed(log.index(), command, verdict));
    return verdict;
  }

  private void requireStopped(Session session) {
    for (SimulatedMachine machine : machines) {
      SimulatedNode node = machine.node();
      if (node != null && session.id().equals(node.session()) && node.believes()) {
        throw new Violation("NodeStopsFirst", "expired while its node believes in it: " + node);
      }
    }
  }

  private void check() {
    for (ShardId shard : ShardId.range(SHARDS)) {
      ShardId one = shard;
      List<SimulatedNode> believers = new ArrayList<>();
      for (SimulatedMachine machine : machines) {
        SimulatedNode node = machine.node();
        if (node != null && node.believesInOwning(one)) {
          believers.add(node);
        }
      }
      if (believers.size() > 1) {
        throw new Violation("OneValidOwner", one + " is owned by " + believers);
      }
    }
    machines.forEach(this::checkFormation);
  }

  private void checkFormation(SimulatedMachine machine) {
    SimulatedNode node = machine.node();
    if (node == null || node.session() == null || node.joined().equals(FormationId.NONE)) {
      return;
    }
    boolean differs =
        log.state().sessions().stream()
            .filter(session -> session.id().equals(node.session()) && session.isJoined())
            .anyMatch(session -> !session.formation().equals(node.joined()));
    if (differs) {
      throw new Violation("OneFormation", node + " is in " + node.joined());
    }
  }

  /** Somebody else leads, after a while; who led may not know for long. */
  private void elect() {
    isElecting = true;
    SimulatedMachine next = machines.get(random.nextInt(MACHINES));
    for (SimulatedMachine machine : machines) {
      scheduler.after(
          random.nextLong(2_000_000),
          "steps down",
          () -> {
            if (machine != next) {
              machine.replica().leads(false);
            }
          });
    }
    scheduler.after(
        random.nextLong(1_000_000),
        next,
        () -> {
          isElecting = false;
          next.replica().leads(true);
        });
    if (!isCalm()) {
      scheduler.after(random.nextLong(1_000_000, 6_000_000), "election", this::elect);
    }
  }

  private void trouble() {
    if (!isCalm()) {
      SimulatedMachine victim = machines.get(random.nextInt(MACHINES));
      long us = random.nextLong(10_000, 4_000_000);
      switch (random.nextInt(9)) {
        case 0 -> victim.freeze(us, /* suspended= */ false);
        case 1 -> victim.freeze(us, /* suspended= */ true);
        case 2 -> victim.freeze(us / 50, /* suspended= */ true);
        case 3 -> victim.restart();
        case 4 -> victim.clock().step(random.nextLong(100));
        case 5 -> victim.replica().install(log.state().toBytes());
        default -> victim.cutOff(us);
      }
      scheduler.after(random.nextLong(500_000, 3_000_000), "trouble", this::trouble);
    }
  }
}
