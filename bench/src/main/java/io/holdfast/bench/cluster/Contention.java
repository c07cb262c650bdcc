package io.holdfast.bench.cluster;

import io.holdfast.bench.cluster.NodeClient.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Clients that lock and release the same few keys by way of any node during faults. */
final class Contention implements AutoCloseable {

  private static final int ASKERS = 3;
  private static final int KEYS = 6;
  private static final long TTL_MS = 4_000;
  private static final long ANSWER_WITHIN_MS = 1_000;
  private static final int RELEASES = 3;
  private static final long HELD_MS = 5;
  private static final long PAUSE_MS = 20;

  private final List<NodeClient> clients = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Claims claims;
  private volatile boolean ends;

  Contention(Cluster cluster, Claims claims) {
    this.claims = claims;
    cluster.all().forEach(node -> clients.add(new NodeClient(cluster.place(node))));
    for (int i = 0; i < ASKERS; i++) {
      Thread thread = new Thread(this::run, "asker-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
  }

  void begin() {
    threads.forEach(Thread::start);
  }

  private void run() {
    while (!ends) {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      String key = "contended/" + random.nextInt(KEYS);
      NodeClient client = clients.get(random.nextInt(clients.size()));
      long asked = System.nanoTime();
      Answer answer = client.tryLock(key, UUID.randomUUID().toString(), TTL_MS, ANSWER_WITHIN_MS);
      if (answer instanceof Answer.Held held) {
        claims.granted(key, held.token(), asked, TTL_MS);
        Wait.pause(HELD_MS);
        claims.releases(key);
        for (int i = 0; i < RELEASES; i++) {
          NodeClient other = clients.get(random.nextInt(clients.size()));
          if (!(other.unlock(key, held.token(), ANSWER_WITHIN_MS) instanceof Answer.Failed)) {
            break;
          }
        }
      }
      Wait.pause(PAUSE_MS);
    }
  }

  @Override
  public void close() {
    ends = true;
    for (Thread thread : threads) {
      try {
        thread.join(10_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    clients.forEach(NodeClient::close);
  }
}
