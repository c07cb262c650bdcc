package io.holdfast.simulation.coordination;

import io.holdfast.simulation.Scheduler;
import java.util.SplittableRandom;

/** The two clocks of a machine: up to 1 % fast or slow; the monotonic one stops in a suspension. */
final class SimulatedClock {

  private static final double DRIFT = 0.01;

  private final Scheduler scheduler;
  private final double rate;
  private final double wallRate;
  private final long startMs;
  private long wallAheadMs;
  private long suspendedUs;
  private long suspendedSinceUs = -1;

  SimulatedClock(Scheduler scheduler, SplittableRandom random) {
    this.scheduler = scheduler;
    rate = 1 + (random.nextBoolean() ? DRIFT : random.nextDouble(-DRIFT, DRIFT)) * sign(random);
    wallRate = 1 + random.nextDouble(-DRIFT, DRIFT);
    startMs = random.nextLong(1_000_000);
    wallAheadMs = random.nextLong(1_000_000);
  }

  long monotonicMs() {
    long stoodUs = suspendedUs;
    if (suspendedSinceUs >= 0) {
      stoodUs += scheduler.nowUs() - suspendedSinceUs;
    }
    return startMs + (long) ((scheduler.nowUs() - stoodUs) * rate / 1_000);
  }

  long wallMs() {
    return wallAheadMs + (long) (scheduler.nowUs() * wallRate / 1_000);
  }

  void suspend() {
    suspendedSinceUs = scheduler.nowUs();
  }

  void resume() {
    if (suspendedSinceUs >= 0) {
      suspendedUs += scheduler.nowUs() - suspendedSinceUs;
      suspendedSinceUs = -1;
    }
  }

  /** The wall clock is set forward. */
  void step(long ms) {
    wallAheadMs += ms;
  }

  private static int sign(SplittableRandom random) {
    return random.nextBoolean() ? 1 : -1;
  }
}
