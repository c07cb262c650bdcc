package io.holdfast.bench.raft;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * A closed loop of calls, made by one thread that is not the member's: so many are in flight at any
 * time, and the next is made when one is answered.
 *
 * <p>A stall is seen by as many calls as are in flight, and no more.
 */
final class Load {

  /** The number of calls, and how long they took. */
  record Result(long calls, long refused, double seconds, Histogram micros) {

    String line() {
      return "calls=%d refused=%d rate=%.0f p50=%.3f p99=%.3f p999=%.3f max=%.3f"
          .formatted(
              calls,
              refused,
              calls / seconds,
              micros.getValueAtPercentile(50) / 1e3,
              micros.getValueAtPercentile(99) / 1e3,
              micros.getValueAtPercentile(99.9) / 1e3,
              micros.getMaxValue() / 1e3);
    }
  }

  private final int inFlight;
  private final AtomicInteger room;
  private final AtomicLong refused = new AtomicLong();
  private final Histogram micros = new Histogram(60_000_000L, 3);
  private volatile boolean parked;

  Load(int inFlight) {
    this.inFlight = inFlight;
    room = new AtomicInteger(inFlight);
  }

  /** Makes calls for so long, and waits for the last answers. */
  <T> Result run(long nanos, Supplier<CompletionStage<T>> call, Predicate<T> succeeded) {
    Thread caller = Thread.currentThread();
    long start = System.nanoTime();
    long end = start + nanos;
    while (System.nanoTime() < end) {
      awaitRoom();
      room.decrementAndGet();
      long sent = System.nanoTime();
      call.get()
          .whenComplete(
              (answer, failure) -> {
                boolean good = failure == null && succeeded.test(answer);
                answered(good, System.nanoTime() - sent);
                if (room.incrementAndGet() > 0 && parked) {
                  LockSupport.unpark(caller);
                }
              });
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Histogram until = histogram();
    while (room.get() < inFlight) {
      parked = true;
      LockSupport.parkNanos(1_000_000);
    }
    return new Result(until.getTotalCount(), refused.get(), seconds, until);
  }

  private void awaitRoom() {
    while (room.get() <= 0) {
      parked = true;
      if (room.get() <= 0) {
        LockSupport.parkNanos(100_000_000);
      }
      parked = false;
    }
  }

  private void answered(boolean good, long nanos) {
    if (!good) {
      refused.incrementAndGet();
      return;
    }
    synchronized (micros) {
      micros.recordValue(Math.min(nanos / 1_000, micros.getHighestTrackableValue()));
    }
  }

  private Histogram histogram() {
    synchronized (micros) {
      return micros.copy();
    }
  }

  /** A payload of this size that begins with a number. */
  static byte[] payload(long number, int bytes) {
    byte[] payload = new byte[bytes];
    ByteBuffer.wrap(payload).putLong(number);
    return payload;
  }
}
