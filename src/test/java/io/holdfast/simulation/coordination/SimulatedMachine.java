package io.holdfast.simulation.coordination;

import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.FormationId;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.Session;
import io.holdfast.simulation.coordination.SimulatedLog.Ownership;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A machine with one process: a Raft member and a node. It is cut off, freezes, and crashes. */
final class SimulatedMachine {

  /** Receives the answer to a command. */
  interface Answer {
    void answered(CoordinationVerdict verdict, long index);
  }

  private static final long TICK_US = 15_000;
  private static final long INSIST_US = 200_000;

  private final CoordinationSimulation world;
  private final SplittableRandom random;
  private final SimulatedClock clock;
  private final NodeId id;
  private SimulatedReplica replica;
  private @Nullable SimulatedNode node;
  private long incarnation;
  private long frozenUntilUs;
  private long cutUntilUs;
  private long appliedAtUs;

  SimulatedMachine(CoordinationSimulation world, NodeId id, SplittableRandom random) {
    this.world = world;
    this.id = id;
    this.random = random;
    clock = new SimulatedClock(world.scheduler, random);
    replica = new SimulatedReplica(clock, world.log.state().toBytes());
    start();
  }

  SimulatedReplica replica() {
    return replica;
  }

  SimulatedClock clock() {
    return clock;
  }

  /** The running process's node; null while none runs. */
  @Nullable SimulatedNode node() {
    return node;
  }

  /** True if the time of trouble is over. */
  boolean isCalm() {
    return world.isCalm();
  }

  Optional<FormationId> knownFormation() {
    return replica.state().sessions().stream()
        .filter(Session::isJoined)
        .map(Session::formation)
        .findFirst();
  }

  /** Sends a command once: it may be lost, late, or arrive twice, and so may its answer. */
  void send(CoordinationCommand command, Answer answer) {
    int copies = random.nextInt(20) == 0 ? 2 : 1;
    for (int i = 0; i < copies && !isLost(); i++) {
      world.propose(
          delayUs(),
          command,
          (verdict, index) -> {
            if (!isLost()) {
              after(delayUs(), () -> answer.answered(verdict, index));
            }
          });
    }
  }

  /** Sends until an answer comes. */
  void insist(CoordinationCommand command, Answer answer) {
    boolean[] answered = new boolean[1];
    send(
        command,
        (verdict, index) -> {
          if (!answered[0]) {
            answered[0] = true;
            answer.answered(verdict, index);
          }
        });
    after(
        INSIST_US,
        () -> {
          if (!answered[0]) {
            answered[0] = true;
            insist(command, answer);
          }
        });
  }

  void append(Ownership under, long token) {
    if (!isLost()) {
      world.append(delayUs(), under, token);
    }
  }

  /** Lets the process of now do something later, if it still runs then; not while it is frozen. */
  void after(long delayUs, Runnable action) {
    long process = incarnation;
    world.scheduler.after(
        delayUs,
        this,
        () -> {
          if (process != incarnation || node == null) {
            return;
          } else if (world.scheduler.nowUs() < frozenUntilUs) {
            after(frozenUntilUs - world.scheduler.nowUs(), action);
          } else {
            clock.resume();
            action.run();
          }
        });
  }

  /** An entry is committed: the replica applies it some time later, and in order. */
  void committed(long index, CoordinationCommand command, CoordinationVerdict verdict) {
    long now = world.scheduler.nowUs();
    long lag = random.nextInt(10) == 0 ? random.nextLong(300_000) : random.nextLong(5_000);
    appliedAtUs = Math.max(appliedAtUs, now + lag);
    after(appliedAtUs - now, () -> replica.apply(index, command, verdict));
  }

  void freeze(long us, boolean suspended) {
    if (node != null && frozenUntilUs < world.scheduler.nowUs()) {
      frozenUntilUs = world.scheduler.nowUs() + us;
      if (suspended) {
        clock.suspend();
      }
      after(us, () -> {});
    }
  }

  void cutOff(long us) {
    cutUntilUs = world.scheduler.nowUs() + us;
  }

  /** The process ends, and another begins some time later. */
  void restart() {
    node = null;
    clock.resume();
    world.scheduler.after(random.nextLong(50_000, 3_000_000), this, this::start);
  }

  private void start() {
    if (node == null) {
      incarnation++;
      frozenUntilUs = 0;
      appliedAtUs = 0;
      replica = new SimulatedReplica(clock, world.log.state().toBytes());
      node = new SimulatedNode(this, clock, id, incarnation, random);
      tick();
    }
  }

  private void tick() {
    if (node != null) {
      node.tick();
      replica.due().forEach(expire -> world.propose(lateUs(), expire, (verdict, index) -> {}));
    }
    after(TICK_US, this::tick);
  }

  private boolean isLost() {
    return world.scheduler.nowUs() < cutUntilUs || random.nextInt(100) < world.lossPercent();
  }

  private long delayUs() {
    return random.nextInt(15) == 0 ? random.nextLong(2_500_000) : random.nextLong(500, 15_000);
  }

  /** A leader may stand still between its decision and its proposal. */
  private long lateUs() {
    return random.nextInt(5) == 0 ? random.nextLong(3_000_000) : random.nextLong(5_000);
  }

  @Override
  public String toString() {
    return id + "." + incarnation;
  }
}
