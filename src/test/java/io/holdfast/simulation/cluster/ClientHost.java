package io.holdfast.simulation.cluster;

import io.holdfast.simulation.Scheduler;
import io.holdfast.simulation.raft.SimulatedClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The process of a client: has a clock of its own and a way to the nodes, and stands still or dies
 * as it happens.
 */
final class ClientHost {

  static final double DRIFT = 0.01;

  private final ClusterLocks locks;
  private final String name;
  private final SplittableRandom chance;
  private final SimulatedClock clock;
  private final Deque<Runnable> missed = new ArrayDeque<>();
  private boolean pauses;
  private long wentOnUs;
  private boolean dead;

  ClientHost(ClusterLocks locks, String name, SplittableRandom chance) {
    this.locks = locks;
    this.name = name;
    this.chance = chance;
    clock = new SimulatedClock(locks.world().scheduler());
    clock.rate(1 + chance.nextDouble(-DRIFT, DRIFT));
  }

  /** Something of this process happens later; if it stands still then, once it goes on. */
  void later(long delayUs, Object what, Runnable action) {
    locks.world().scheduler().after(delayUs, new Scheduler.Words(name, what), () -> run(action));
  }

  private void run(Runnable action) {
    if (dead) {
      return;
    } else if (pauses) {
      missed.add(action);
    } else {
      action.run();
    }
  }

  /** The process is stopped for a while. */
  void pause(long forUs) {
    if (!pauses && !dead) {
      pauses = true;
      locks.world().scheduler().note(name + " stands still");
      locks.world().scheduler().after(forUs, name + " goes on", this::goOn);
    }
  }

  private void goOn() {
    pauses = false;
    wentOnUs = locks.world().nowUs();
    while (!pauses && !dead && !missed.isEmpty()) {
      missed.remove().run();
    }
  }

  void die() {
    dead = true;
    missed.clear();
  }

  boolean isDead() {
    return dead;
  }

  /** Since when it runs without a pause, or the end of time while it does not run. */
  long runsSinceUs() {
    return dead || pauses ? Long.MAX_VALUE : wentOnUs;
  }

  long nowMs() {
    return clock.nowMs();
  }

  long wallMs() {
    return clock.wallMs();
  }

  /** The time that the next message takes. */
  long wireUs() {
    return 100L
        + chance.nextInt(!locks.world().isCalm() && chance.nextInt(40) == 0 ? 300_000 : 900);
  }

  /** True if the next message is lost. */
  boolean isLost() {
    return !locks.world().isCalm() && chance.nextInt(50) == 0;
  }

  /** Writes to the store behind the locks; the way there may be long, also for one that dies. */
  void write(String key, long token, Consumer<Boolean> told) {
    long delayUs = chance.nextInt(4) == 0 ? chance.nextInt(1_500_000) : wireUs();
    locks
        .world()
        .scheduler()
        .after(
            delayUs,
            name + " writes to " + key + " under " + token,
            () -> {
              boolean isAccepted = locks.write(key, token);
              if (!isLost()) {
                later(wireUs(), "is told " + isAccepted, () -> told.accept(isAccepted));
              }
            });
  }
}
