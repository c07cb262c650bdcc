package io.holdfast.simulation.journal;

import io.holdfast.coordination.member.OwnThread;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * A thread of one process, as that of coordination: it begins a little later than it is told to,
 * and does nothing once the process has ended. What is thrown there ends the run.
 */
public final class ProcessThread implements OwnThread {

  /** Has something done later, if the process lives then. */
  public interface Later {
    void later(long delayUs, Object what, Runnable action);
  }

  private static final int DELAY_US = 200;
  private static final int LONG_DELAY_US = 10_000;

  private final Later process;
  private final BooleanSupplier hasEnded;
  private final SplittableRandom chance;
  private final Deque<Runnable> steps = new ArrayDeque<>();
  private boolean isCalled;
  private boolean isAtWork;

  /**
   * A thread.
   *
   * @param hasEnded true if no process begins anything any more
   */
  public ProcessThread(Later process, BooleanSupplier hasEnded, SplittableRandom chance) {
    this.process = process;
    this.hasEnded = hasEnded;
    this.chance = chance;
  }

  @Override
  public void run(Runnable step) {
    steps.add(step);
    if (!isCalled && !isAtWork) {
      isCalled = true;
      int delayUs = chance.nextInt(chance.nextInt(30) == 0 ? LONG_DELAY_US : DELAY_US);
      process.later(
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
    process.later(
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
      if (!hasEnded.getAsBoolean()) {
        step.run();
      }
    }
    isAtWork = false;
  }
}
