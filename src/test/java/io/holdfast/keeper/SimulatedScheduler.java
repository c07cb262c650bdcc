package io.holdfast.keeper;

import io.holdfast.sharding.TaskScheduler;
import java.time.Duration;
import java.util.function.LongSupplier;

/** A scheduler in virtual time. */
public final class SimulatedScheduler implements TaskScheduler {

  /** Runs actions later in virtual time. */
  @FunctionalInterface
  public interface Later {
    void later(long delayUs, Object what, Runnable action);
  }

  private final Later later;
  private final LongSupplier soonUs;

  /**
   * Creates it without tasks.
   *
   * @param soonUs the time until another thread has run a task
   */
  public SimulatedScheduler(Later later, LongSupplier soonUs) {
    this.later = later;
    this.soonUs = soonUs;
  }

  @Override
  public void soon(Runnable action) {
    later.later(soonUs.getAsLong(), "soon", action);
  }

  @Override
  public Task after(Duration delay, Runnable action) {
    Once once = new Once(action);
    later.later(delay.toNanos() / 1_000, "after a while", once);
    return once;
  }

  @Override
  public void every(Duration pause, Runnable action) {
    var unused =
        after(
            pause,
            () -> {
              action.run();
              every(pause, action);
            });
  }

  private static final class Once implements Task, Runnable {
    private final Runnable action;
    private boolean isCancelled;

    Once(Runnable action) {
      this.action = action;
    }

    @Override
    public void run() {
      if (!isCancelled) {
        action.run();
      }
    }

    @Override
    public void cancel() {
      isCancelled = true;
    }
  }
}
