package io.holdfast.bench.persist;

import akka.actor.typed.ActorRef;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * A closed loop over writers: so many of them have the turn at any time, and a writer whose note is
 * confirmed passes its turn on to the one that is so many places further. With as many turns as
 * writers each keeps its own.
 *
 * <p>A stall is seen by as many notes as there are turns, and no more.
 */
final class Turns {

  private static final long MAX_MICROS = 60_000_000;

  private final List<ActorRef<WriterMessage>> writers;
  private final AtomicLongArray confirmed;
  private final int count;
  private final Recorder micros = new Recorder(MAX_MICROS, 3);
  private final AtomicInteger left;
  private final CompletableFuture<Boolean> over = new CompletableFuture<>();
  private volatile boolean ending;

  /**
   * @param confirmed counts the confirmed notes of each writer
   */
  Turns(List<ActorRef<WriterMessage>> writers, AtomicLongArray confirmed, int count) {
    this.writers = writers;
    this.confirmed = confirmed;
    this.count = count;
    left = new AtomicInteger(count);
  }

  void begin() {
    for (int i = 0; i < count; i++) {
      give(i, System.nanoTime());
    }
  }

  /** All that was confirmed since the last time this was asked. */
  Histogram micros() {
    return micros.getIntervalHistogram();
  }

  /** Ends the loop; completes when no turn is left. */
  CompletableFuture<Boolean> end() {
    ending = true;
    return over;
  }

  private void give(int writer, long now) {
    writers.get(writer).tell(new WriterMessage.Write(this, now));
  }

  /** The writer's note is confirmed. Called by the writer. */
  void confirmed(int writer, long askedNanos) {
    confirmed.incrementAndGet(writer);
    long now = System.nanoTime();
    micros.recordValue(Math.min((now - askedNanos) / 1_000, MAX_MICROS));
    if (!ending) {
      give((writer + count) % writers.size(), now);
    } else if (left.decrementAndGet() == 0) {
      over.complete(true);
    }
  }
}
