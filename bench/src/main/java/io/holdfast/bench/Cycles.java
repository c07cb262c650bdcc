package io.holdfast.bench;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.HdrHistogram.Histogram;

/** A worker that acquires and releases until its time is over, and keeps how long each took. */
final class Cycles implements Runnable {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final long MAX_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MAX_FAILURES = 1_000; // a node that is gone would be asked for nothing

  private final HoldfastClient client;
  private final int keys;
  private final long endNanos;
  private final Histogram nanos = new Histogram(MAX_NANOS, 3);
  private int failed;

  private Cycles(HoldfastClient client, int keys, long endNanos) {
    this.client = client;
    this.keys = keys;
    this.endNanos = endNanos;
  }

  record Result(Histogram nanos, long failed, Duration took) {}

  static Result run(HoldfastClient client, int keys, int workers, Duration during)
      throws InterruptedException {
    long start = System.nanoTime();
    List<Cycles> all = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      Cycles cycles = new Cycles(client, keys, start + during.toNanos());
      all.add(cycles);
      threads.add(new Thread(cycles, "worker-" + i));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    Histogram nanos = new Histogram(MAX_NANOS, 3);
    all.forEach(cycles -> nanos.add(cycles.nanos));
    return new Result(nanos, all.stream().mapToLong(cycles -> cycles.failed).sum(), took);
  }

  @Override
  public void run() {
    while (System.nanoTime() - endNanos < 0 && failed < MAX_FAILURES) {
      long start = System.nanoTime();
      if (cycle("bench/" + ThreadLocalRandom.current().nextInt(keys))) {
        nanos.recordValue(Math.min(System.nanoTime() - start, MAX_NANOS));
      } else {
        failed++;
      }
    }
  }

  private boolean cycle(String key) {
    try {
      Grant grant = client.lock(key).acquire(TIMEOUT);
      return grant.release();
    } catch (HoldfastException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
