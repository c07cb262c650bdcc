package holdfast.simulation.journal;

import holdfast.coordination.OwnThread;
import holdfast.simulation.raft.SimulatedMember;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * The thread of coordination in one process: it begins a little later than it is told to, and does
 * nothing once the process has ended. What is thrown there ends the run.
 */
final class ProcessThread implements OwnThread {

  private static final int DELAY_US = 200;
  private static final int LONG_DELAY_US = 10_000;

  private final JournalWorld world;
  private final SimulatedMember member;
  private final SplittableRandom chance;
  private final Deque<Runnable> steps = new ArrayDeque<>();
  private boolean isCalled;
  private boolean isAtWork;

  ProcessThread(JournalWorld world, SimulatedMember member, SplittableRandom chance) {
    this.world = world;
    this.member = member;
    this.chance = chance;
  }

  @Override
  public void run(Runnable step) {
    steps.add(step);
    if (!isCalled && !isAtWork) {
      isCalled = true;
      int delayUs = chance.nextInt(chance.nextInt(30) == 0 ? LONG_DELAY_US : DELAY_US);
      member.later(
          delayUs,
          "coordination",
          () -> {
            isCalled = false;
            work();
          });
    }
  }

  @Override
  public void after(long delayMs, Runnable step) {
    member.later(
        1_000 * delayMs,
        "coordination",
        () -> {
          steps.add(step);
          work();
        });
  }

  private void work() {
    isAtWork = true;
    while (!steps.isEmpty()) {
      Runnable step = steps.remove();
      if (!world.hasEnded()) {
        step.run();
      }
    }
    isAtWork = false;
  }
}
