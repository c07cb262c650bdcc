package holdfast.simulation.raft;

import holdfast.simulation.Scheduler;

/** One member's clock, which runs at a rate of its own. */
final class SimulatedClock {

  private final Scheduler scheduler;
  private long offsetMs;
  private double rate = 1;
  private long setUs;

  SimulatedClock(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Runs faster or slower from now on. */
  void rate(double newRate) {
    offsetMs = nowMs();
    setUs = scheduler.nowUs();
    rate = newRate;
  }

  long nowMs() {
    return offsetMs + (long) ((scheduler.nowUs() - setUs) * rate / 1000);
  }

  /** When, in the time of the simulation, the clock will have reached {@code ms}. */
  long reachedAtUs(long ms) {
    double sinceSetMs = ms - offsetMs;
    return setUs + (long) (sinceSetMs * 1000 / rate) + 10;
  }
}
