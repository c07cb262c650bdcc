package io.holdfast.entity;

import java.time.Duration;
import java.util.function.LongSupplier;

/** An agenda in virtual time. */
final class SimulatedAgenda implements Agenda {

  /** The way to have something happen later. */
  @FunctionalInterface
  interface Later {
    void later(long delayUs, Object what, Runnable action);
  }

  private final Later way;
  private final LongSupplier soonUs;

  /**
   * Nothing is planned yet.
   *
   * @param soonUs how long until another thread is free, and done
   */
  SimulatedAgenda(Later way, LongSupplier soonUs) {
    this.way = way;
    this.soonUs = soonUs;
  }

  @Override
  public void soon(Runnable action) {
    way.later(soonUs.getAsLong(), "soon", action);
  }

  @Override
  public Plan after(Duration delay, Runnable action) {
    Once once = new Once(action);
    way.later(delay.toNanos() / 1_000, "after a while", once);
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

  private static final class Once implements Plan, Runnable {
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
