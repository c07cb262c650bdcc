package io.holdfast.simulation.raft;

import io.holdfast.simulation.Scheduler;

/**
 * One member's clocks: the monotonic one runs at a rate of its own and stands still while the
 * machine is suspended, the wall clock does not.
 */
public final class SimulatedClock {

  private final Scheduler scheduler;
  private long offsetMs;
  private double rate = 1;
  private long setUs;
  private double wallRate = 1;
  private long wallAheadMs;
  private long stoodUs;
  private long standsSinceUs = -1;

  /** Right, until it is told otherwise. */
  public SimulatedClock(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Runs faster or slower from now on. */
  public void rate(double newRate) {
    offsetMs = nowMs();
    setUs = runUs();
    rate = newRate;
  }

  public void wallRate(double newRate) {
    wallRate = newRate;
  }

  /** The wall clock is set forward. */
  public void stepWall(long ms) {
    wallAheadMs += ms;
  }

  /** The machine is suspended. */
  public void stop() {
    if (standsSinceUs < 0) {
      standsSinceUs = scheduler.nowUs();
    }
  }

  /** The machine goes on, if it was suspended. */
  public void goOn() {
    if (standsSinceUs >= 0) {
      stoodUs += scheduler.nowUs() - standsSinceUs;
      standsSinceUs = -1;
    }
  }

  public long nowMs() {
    return offsetMs + (long) ((runUs() - setUs) * rate / 1000);
  }

  public long wallMs() {
    return wallAheadMs + (long) (scheduler.nowUs() * wallRate / 1000);
  }

  private long runUs() {
    return (standsSinceUs >= 0 ? standsSinceUs : scheduler.nowUs()) - stoodUs;
  }

  /** The time of the simulation when the clock will have reached {@code ms}. */
  long reachedAtUs(long ms) {
    double sinceSetMs = ms - offsetMs;
    return stoodUs + setUs + (long) (sinceSetMs * 1000 / rate) + 10;
  }
}
