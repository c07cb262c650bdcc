package io.holdfast.simulation.journal;

import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Settings;
import io.holdfast.simulation.Scheduler;
import io.holdfast.simulation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run: a cluster of nodes, each with Raft, coordination and the journal, lives through a few
 * seconds of trouble, is healed, and must then serve.
 */
public final class JournalSimulation {

  private static final long TROUBLE_US = 4_000_000;
  private static final long MENDS_US = 12_000_000;
  private static final long RECOVERY_US = 6_000_000;
  private static final long LAST_ROUND_US = 12_000_000;
  private static final long WIND_DOWN_US = 12_000_000;
  private static final long QUIET_US = 1_000_000;
  private static final long EVENTS_MAX = 800_000;

  private final long seed;
  private final Scheduler scheduler;
  private final Tenancy tenancy;
  private @Nullable JournalWorld world;

  private JournalSimulation(long seed, Scheduler scheduler, Tenancy tenancy) {
    this.seed = seed;
    this.scheduler = scheduler;
    this.tenancy = tenancy;
  }

  /** Runs one seed; the answer is null if everything held, and else tells what did not. */
  public static @Nullable String failure(long seed) {
    return failure(seed, new Scheduler(), new ModelLocks());
  }

  /** Runs one seed again and tells every event. */
  public static @Nullable String replay(long seed, Consumer<String> trace) {
    return failure(seed, new Scheduler(trace), new ModelLocks());
  }

  /** Runs one seed with these above the journal; null if everything held. */
  public static @Nullable String failure(long seed, Scheduler scheduler, Tenancy tenancy) {
    JournalSimulation simulation = new JournalSimulation(seed, scheduler, tenancy);
    return simulation.run(simulation::live);
  }

  /** The result of this seed: the number of times that each thing happened. */
  public static Map<String, Long> tally(long seed) {
    return tally(seed, new ModelLocks());
  }

  /** The result of this seed with these above the journal. */
  public static Map<String, Long> tally(long seed, Tenancy tenancy) {
    JournalSimulation simulation = new JournalSimulation(seed, new Scheduler(), tenancy);
    simulation.live();
    Map<String, Long> counts = Objects.requireNonNull(simulation.world).tally().counts();
    counts.put("events", simulation.scheduler.count());
    counts.put("milliseconds", simulation.scheduler.nowUs() / 1_000);
    return counts;
  }

  /**
   * Runs these on three nodes without any trouble but what they make, until they are done.
   *
   * @return null if they were done in time and everything held
   */
  public static @Nullable String play(
      long seed, Scheduler scheduler, Tenancy tenancy, BooleanSupplier isDone, long withinUs) {
    JournalSimulation simulation = new JournalSimulation(seed, scheduler, tenancy);
    return simulation.run(() -> simulation.play(isDone, withinUs));
  }

  private void play(BooleanSupplier isDone, long withinUs) {
    SplittableRandom chance = new SplittableRandom(seed);
    JournalTrouble trouble = new JournalTrouble(chance.split());
    JournalWorld played =
        new JournalWorld(
            scheduler,
            chance,
            settings(),
            /* gathers= */ false,
            /* shortOfRoom= */ false,
            tenancy,
            trouble);
    world = played;
    found(played, 3);
    trouble.watch(played);
    played.calm();
    tenancy.begin();
    runUntil(played, withinUs, () -> isDone.getAsBoolean() ? null : "the story has no end");
  }

  private @Nullable String run(Runnable life) {
    try {
      life.run();
      return null;
    } catch (RuntimeException failure) {
      StackTraceElement[] stack = failure.getStackTrace();
      String where = failure instanceof Violation || stack.length == 0 ? "" : " at " + stack[0];
      return "seed " + seed + ": " + failure + where + "\n" + scheduler.past() + describe();
    }
  }

  private String describe() {
    JournalWorld built = world;
    StringBuilder lines = new StringBuilder();
    if (built != null) {
      built.raft().members().forEach(each -> lines.append(each.describe()).append('\n'));
    }
    return lines.toString();
  }

  private void live() {
    SplittableRandom chance = new SplittableRandom(seed);
    JournalTrouble trouble = new JournalTrouble(chance.split());
    JournalWorld world =
        new JournalWorld(
            scheduler,
            chance,
            settings(),
            /* gathers= */ seed % 5 == 1,
            /* shortOfRoom= */ seed % 6 == 3,
            tenancy,
            trouble);
    this.world = world;
    found(world, tenancy.members(world.chance()));
    trouble.begin(world);
    tenancy.begin();
    beginRare(world, trouble);
    long outageUs = tenancy.outageUs();
    if (outageUs > 0) {
      runUntil(world, TROUBLE_US / 2);
      trouble.blackOut(outageUs);
    }
    runUntil(world, TROUBLE_US + outageUs);
    trouble.heal();
    runUntil(world, MENDS_US, trouble::unmended);
    world.calm();
    long servesByUs = scheduler.nowUs() + RECOVERY_US;
    Live live = new Live(world);
    while (!live.isReached()) {
      if (scheduler.nowUs() >= servesByUs) {
        throw new Violation("I12 Live", live.lack());
      }
      runUntil(world, scheduler.nowUs() + 50_000);
    }
    tenancy.askOnceMore();
    runUntil(world, LAST_ROUND_US, tenancy::unserved);
    tenancy.windDown();
    runUntil(world, WIND_DOWN_US, tenancy::lack);
    world.end();
    long quietUs = scheduler.nowUs() + QUIET_US;
    while (!world.isSettled()) {
      if (scheduler.nowUs() >= quietUs) {
        throw new Violation("I12 Live", "the members do not come to where the log is");
      }
      runUntil(world, scheduler.nowUs() + 20_000);
    }
    world.tell(JournalInvariant::ended);
  }

  /** With chance of their own, so that other seeds have the lives that they had without these. */
  private void beginRare(JournalWorld world, JournalTrouble trouble) {
    SplittableRandom rare = new SplittableRandom(~seed);
    if (seed % 7 == 6) {
      trouble.changeMembers(rare.split());
    }
    if (seed % 8 == 7) {
      world.quarantine().begin(rare.split());
    }
  }

  /** Lets time pass until nothing is lacking; within bounds. */
  private void runUntil(JournalWorld world, long withinUs, Supplier<@Nullable Object> lacking) {
    long doneUs = scheduler.nowUs() + withinUs;
    for (Object lack = lacking.get(); lack != null; lack = lacking.get()) {
      if (scheduler.nowUs() >= doneUs) {
        throw new Violation("I12 Live", lack.toString());
      }
      runUntil(world, scheduler.nowUs() + 50_000);
    }
  }

  private void runUntil(JournalWorld world, long untilUs) {
    while (scheduler.step(untilUs)) {
      world.happened();
      if (scheduler.count() > EVENTS_MAX) {
        throw new Violation("I12 Live", "more than [" + EVENTS_MAX + "] events");
      }
    }
  }

  private static Settings settings() {
    return new Settings(
        150, // electionTimeoutMs
        50, // heartbeatMs
        1 << 16, // maxProposalBytes
        256, // maxPendingProposals
        64, // maxPendingReads
        1 << 20, // maxUncommittedBytes
        8 << 10, // maxAppendBytes
        4, // maxInflightAppends
        1 << 16, // maxApplyBytes
        1 << 10, // snapshotChunkBytes
        10, // retainedTail
        3, // caughtUpWithin
        false, // leaseReads
        20, // leaseMarginPercent
        true, // fastPath
        5); // fastPathStepMs
  }

  private static void found(JournalWorld world, int count) {
    List<Member> rows = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      rows.add(Member.voter(new MemberId(i), "host:" + i));
    }
    Formation formation = new Formation(7, JournalWorld.SHARDS, 0, rows);
    rows.forEach(row -> world.raft().found(row.id(), formation));
  }
}
