package io.holdfast.simulation.raft;

import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Settings;
import io.holdfast.simulation.Scheduler;
import io.holdfast.simulation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run: a cluster of one to seven members lives through a few seconds of trouble, is healed, and
 * must then make progress.
 */
public final class RaftSimulation {

  private static final long TROUBLE_US = 2_500_000;
  private static final long RECOVERY_US = 6_000_000;
  private static final long SETTLING_US = 1_000_000;
  private static final long SETTLED_US = 500_000;
  private static final long EVENTS_MAX = 400_000;

  private final long seed;
  private final Scheduler scheduler;
  private @Nullable RaftWorld world;

  private RaftSimulation(long seed, Scheduler scheduler) {
    this.seed = seed;
    this.scheduler = scheduler;
  }

  /** Runs one seed; the answer is null if everything held, and else tells what did not. */
  public static @Nullable String failure(long seed) {
    return new RaftSimulation(seed, new Scheduler()).run();
  }

  /** Runs one seed again and tells every event. */
  public static @Nullable String replay(long seed, Consumer<String> trace) {
    return new RaftSimulation(seed, new Scheduler(trace)).run();
  }

  /** True if the members of this run have the real log on disk, false for a model of it. */
  public static boolean hasRealLogs(long seed) {
    return seed % 4 == 0;
  }

  /** True if a member's inputs come together in one reaction, as they do in a busy process. */
  private static boolean gathers(long seed) {
    return seed % 5 == 1;
  }

  private @Nullable String run() {
    try {
      live();
      return null;
    } catch (RuntimeException failure) {
      StackTraceElement[] stack = failure.getStackTrace();
      String where = failure instanceof Violation || stack.length == 0 ? "" : " at " + stack[0];
      return "seed " + seed + ": " + failure + where + "\n" + scheduler.past() + describe();
    }
  }

  private String describe() {
    RaftWorld built = world;
    StringBuilder lines = new StringBuilder();
    if (built != null) {
      built.members().forEach(member -> lines.append(member.describe()).append('\n'));
    }
    return lines.toString();
  }

  private void live() {
    SplittableRandom chance = new SplittableRandom(seed);
    RaftWorld world =
        new RaftWorld(scheduler, chance, settings(chance), hasRealLogs(seed), gathers(seed));
    this.world = world;
    found(world);
    Operator operator = new Operator(world);
    Trouble trouble = new Trouble(world, operator);
    Workload workload = new Workload(world);
    trouble.begin();
    workload.begin();
    runUntil(TROUBLE_US);
    workload.end();
    trouble.heal();
    Progress progress = new Progress(world);
    while (!progress.isMade()) {
      operator.replaceLost();
      if (scheduler.nowUs() >= TROUBLE_US + RECOVERY_US) {
        throw new Violation("Progress", progress.lack());
      }
      runUntil(scheduler.nowUs() + 50_000);
    }
    settle(world);
  }

  /* A disk that stalled before the healing may still let go of an election, and whoever leads then
  may give way to a member of a higher priority. That is all. */
  private void settle(RaftWorld world) {
    runUntil(scheduler.nowUs() + SETTLING_US);
    long term = world.term();
    runUntil(scheduler.nowUs() + SETTLED_US);
    if (world.term() > term) {
      throw new Violation("Progress", "term " + term + " is disturbed");
    }
  }

  private void runUntil(long untilUs) {
    while (scheduler.step(untilUs)) {
      if (scheduler.count() > EVENTS_MAX) {
        throw new Violation("Progress", "more than [" + EVENTS_MAX + "] events");
      }
    }
  }

  private static Settings settings(SplittableRandom chance) {
    boolean lease = chance.nextInt(4) == 0;
    boolean fastPath = chance.nextInt(3) > 0;
    try {
      return settings(chance, lease, fastPath);
    } catch (IllegalArgumentException excluded) {
      return settings(chance, lease, false);
    }
  }

  private static Settings settings(SplittableRandom chance, boolean lease, boolean fastPath) {
    return new Settings(
        100, // electionTimeoutMs
        20, // heartbeatMs
        256, // maxProposalBytes
        64, // maxPendingProposals
        64, // maxPendingReads
        2_000, // maxUncommittedBytes
        80 + chance.nextInt(200), // maxAppendBytes
        1 + chance.nextInt(4), // maxInflightAppends
        100 + chance.nextInt(400), // maxApplyBytes
        16 + chance.nextInt(32), // snapshotChunkBytes
        chance.nextInt(12), // retainedTail
        3, // caughtUpWithin
        lease,
        20, // leaseMarginPercent
        fastPath,
        3); // fastPathStepMs
  }

  /* One of the initial members may miss the founding: it gets entry 1 from the leader, or founds
  when it tries again. */
  private static void found(RaftWorld world) {
    SplittableRandom chance = world.chance();
    int count = 1 + chance.nextInt(5);
    int witness = count >= 3 && chance.nextInt(3) == 0 ? chance.nextInt(count) : -1;
    boolean ranked = chance.nextInt(3) == 0;
    List<Member> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      MemberId id = new MemberId(i + 1);
      Member row = i == witness ? Member.witness(id, "") : Member.voter(id, "");
      rows.add(ranked ? row.withPriority(chance.nextInt(3)) : row);
    }
    Formation formation = new Formation(7, 48, 0, rows);
    int late = count >= 3 && chance.nextInt(4) == 0 ? chance.nextInt(count) : -1;
    for (int i = 0; i < count; i++) {
      SimulatedMember member = world.add(rows.get(i).id());
      member.founds(formation, i == late ? chance.nextLong(TROUBLE_US) : 0);
      member.start();
    }
  }
}
