package io.holdfast.bench.cluster;

import io.grpc.stub.StreamObserver;
import io.holdfast.v1.LockResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Requests locks at one node, with one call at a time for each until it is granted, and records the
 * first grant of each. A call stays open: the node retries by itself, and further calls would only
 * be load.
 */
final class Prober implements AutoCloseable {

  /** The pause before a lock is asked for again whose call has failed. */
  private static final long EVERY_MS = 25;

  private static final long ANSWER_WITHIN_MS = 8_000;
  private static final long RELEASED_WITHIN_MS = 2_000;
  private static final long TTL_MS = 600_000;

  /** Each key has a connection of its own. */
  private final Map<String, NodeClient> clients = new TreeMap<>();

  private final String holder = UUID.randomUUID().toString();
  private final Map<String, Long> grantedAt = new ConcurrentHashMap<>();
  private final Map<String, Long> tokens = new ConcurrentHashMap<>();
  private final Set<String> asking = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private volatile boolean ends;

  /** Connects, to ask for a lock of its own in each of these shards. */
  Prober(NodePlace place, List<Integer> shards) {
    for (int shard : shards) {
      NodeClient client = new NodeClient(place);
      client.connect();
      clients.put(Keys.of(shard, "probe/" + holder), client);
    }
    thread = new Thread(this::run, "probes-" + place.grpc());
    thread.setDaemon(true);
  }

  /** Connects and begins at once. */
  static Prober begun(NodePlace place, List<Integer> shards) {
    Prober prober = new Prober(place, shards);
    prober.begin();
    return prober;
  }

  void begin() {
    thread.start();
  }

  private void run() {
    while (!ends && !isDone()) {
      clients.forEach(
          (key, client) -> {
            if (!grantedAt.containsKey(key) && asking.add(key)) {
              client.connect();
              ask(key, client);
            }
          });
      Wait.pause(EVERY_MS);
    }
  }

  private void ask(String key, NodeClient client) {
    client
        .async(ANSWER_WITHIN_MS)
        .tryLock(
            NodeClient.lockRequest(key, holder, TTL_MS),
            new StreamObserver<>() {
              @Override
              public void onNext(LockResponse answer) {
                if (NodeClient.read(answer) instanceof NodeClient.Answer.Held held) {
                  grantedAt.putIfAbsent(key, System.nanoTime());
                  tokens.putIfAbsent(key, held.token());
                }
              }

              @Override
              public void onError(Throwable failure) {
                asking.remove(key);
              }

              @Override
              public void onCompleted() {
                asking.remove(key);
              }
            });
  }

  boolean isDone() {
    return grantedAt.size() == clients.size();
  }

  /** The times at which locks have been granted so far, in order. */
  List<Long> grantedAt() {
    return grantedAt.values().stream().sorted().toList();
  }

  @Override
  public void close() {
    ends = true;
    try {
      if (thread.getState() != Thread.State.NEW) {
        thread.join(5_000);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    clients.forEach(
        (key, client) -> {
          Long token = tokens.get(key);
          if (token != null) {
            client.unlock(key, token, RELEASED_WITHIN_MS);
          }
          client.close();
        });
  }
}
