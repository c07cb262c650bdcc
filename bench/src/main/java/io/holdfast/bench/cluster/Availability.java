package io.holdfast.bench.cluster;

import io.holdfast.bench.cluster.NodeClient.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that lock and release one key each by way of one node, to measure the time for which a
 * lock cannot be acquired. The result is at most {@value #ANSWER_WITHIN_MS} ms too long.
 */
final class Availability implements AutoCloseable {

  private static final long ANSWER_WITHIN_MS = 100;
  private static final long TTL_MS = 60_000;
  private static final long PAUSE_MS = 10;

  private final NodeClient client;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong longestMs = new AtomicLong();
  private volatile boolean ends;

  /** Starts, with a key in each of these shards. */
  Availability(NodePlace place, List<Integer> shards) {
    client = new NodeClient(place);
    for (int shard : shards) {
      String key = Keys.of(shard, "available/" + System.nanoTime());
      Thread thread = new Thread(() -> run(key), "wants-" + key);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  private void run(String key) {
    long had = 0;
    while (!ends) {
      if (client.tryLock(key, "asker", TTL_MS, ANSWER_WITHIN_MS) instanceof Answer.Held held) {
        if (had != 0) {
          longestMs.accumulateAndGet(Wait.sinceMs(had), Math::max);
        }
        had = System.nanoTime();
        client.unlock(key, held.token(), ANSWER_WITHIN_MS);
        Wait.pause(PAUSE_MS);
      }
    }
    if (had != 0) {
      longestMs.accumulateAndGet(Wait.sinceMs(had), Math::max);
    }
  }

  /** Stops after the last attempt of each client. */
  void end() {
    ends = true;
    for (Thread thread : threads) {
      try {
        thread.join(5_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The longest time between two grants of one key. */
  long longestGapMs() {
    return longestMs.get();
  }

  @Override
  public void close() {
    end();
    client.close();
  }
}
