package io.holdfast.bench.floods;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A harmless client: it holds one lock on a session of 3 s all the time, and locks and unlocks
 * another in a loop.
 */
final class Bystander implements AutoCloseable {

  static final Duration TTL = Duration.ofSeconds(3);

  private static final Duration WITHIN = Duration.ofSeconds(20);
  private static final String HELD = "bystander/held";
  private static final String CYCLED = "bystander/cycled";
  private static final long BETWEEN_MS = 2;

  private final HoldfastClient client;
  private final Grant held;
  private final Thread thread = new Thread(this::cycle, "bystander");
  private volatile String loss = "";
  private volatile long since = System.nanoTime();
  private volatile long longest;
  private final LongAdder cycles = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private volatile boolean over;

  private Bystander(HoldfastClient client) throws InterruptedException {
    this.client = client;
    held = client.lock(HELD).acquire(WITHIN);
    held.onLost(reason -> loss = reason.toString());
    thread.setDaemon(true);
    thread.start();
  }

  static Bystander begin(Supplier<HoldfastClient> connect) {
    HoldfastClient client = connect.get();
    try {
      return new Bystander(client);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      client.close();
      throw new IllegalStateException(e);
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  /** Forgets the pauses so far. */
  void measure() {
    longest = 0;
    since = System.nanoTime();
  }

  /** The longest time that a lock and its unlock took, one that is still asked for included. */
  long longestMs() {
    return TimeUnit.NANOSECONDS.toMillis(Math.max(longest, System.nanoTime() - since));
  }

  /** Waits until its present request is answered, within a bound. */
  void awaitAnswer(long withinMs) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(withinMs);
    long next = cycles.sum() + 2;
    while (cycles.sum() < next && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** Counts answers with an error, and those that did not come in time. */
  long failures() {
    return failures.sum();
  }

  /** The reason why its lock was lost; empty if it is held. */
  String loss() {
    if (!loss.isEmpty() || held.isSurelyHeld()) {
      return loss;
    }
    return held.state().toString();
  }

  /** As {@link #loss}, once the nodes were asked, too. */
  String confirmedLoss() {
    try {
      boolean stands = client.validate(HELD, held.fencingToken()).isHeld();
      return stands ? loss() : "not held";
    } catch (HoldfastException e) {
      return loss().isEmpty() ? "unknown" : loss();
    }
  }

  private void cycle() {
    while (!over) {
      since = System.nanoTime();
      try (Grant grant = client.lock(CYCLED).acquire(WITHIN)) {
        grant.release();
        cycles.increment();
      } catch (HoldfastException e) {
        failures.increment();
      } catch (InterruptedException e) {
        return;
      }
      longest = Math.max(longest, System.nanoTime() - since);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BETWEEN_MS));
    }
  }

  @Override
  public void close() {
    over = true;
    thread.interrupt();
    client.close();
  }
}
