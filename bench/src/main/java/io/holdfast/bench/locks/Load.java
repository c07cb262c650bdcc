package io.holdfast.bench.locks;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Askers at work until they are told to end, and how long each thing took them. */
abstract class Load {

  private static final long AGAIN_MS = 50;
  private static final long ENDS_WITHIN_MS = 60_000;
  private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);

  final Findings findings;
  private final int askers;
  private final Runnable flush;
  private final Recorder nanos = new Recorder(MAX_NANOS, 3);
  private final AtomicInteger atWork = new AtomicInteger();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private volatile boolean ending;

  /**
   * A load that has not begun.
   *
   * @param flush sends the requests of workers that were not sent yet
   */
  Load(int askers, Runnable flush, Findings findings) {
    this.askers = askers;
    this.flush = flush;
    this.findings = findings;
  }

  /** Sets an asker to work. */
  abstract void begin(int seat);

  /** Sets all askers to work. */
  void begin() {
    for (int seat = 0; seat < askers; seat++) {
      atWork.incrementAndGet();
      begin(seat);
    }
    flush.run();
  }

  /** Lets each worker finish its present request, and waits for all. */
  void end() {
    ending = true;
    long since = System.nanoTime();
    while (atWork.get() > 0) {
      if (System.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(ENDS_WITHIN_MS)) {
        findings.wrong("[" + atWork.get() + "] askers got no answer");
        break;
      }
      pause(5);
    }
    giveUp();
  }

  /** Stops all retries. */
  void giveUp() {
    clock.shutdownNow();
  }

  static void pause(long ms) {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** True if an asker that is done with one thing is done; it must then ask for nothing more. */
  boolean isOver() {
    if (ending) {
      atWork.decrementAndGet();
    }
    return ending;
  }

  /** Something failed: the asker goes on with the next, a little later. */
  void failed(String why, Runnable next) {
    findings.failed(why);
    if (isOver()) {
      return;
    }
    try {
      var unused =
          clock.schedule(
              () -> {
                next.run();
                flush.run();
              },
              AGAIN_MS,
              TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) { // nobody tries again by now
      atWork.decrementAndGet();
    }
  }

  void took(long took) {
    nanos.recordValue(Math.min(Math.max(0, took), MAX_NANOS));
  }

  /** The times that things took since it was asked last. */
  Histogram histogram() {
    return nanos.getIntervalHistogram();
  }
}
