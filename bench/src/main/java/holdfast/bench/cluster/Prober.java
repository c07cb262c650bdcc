package holdfast.bench.cluster;

import holdfast.v1.LockResponse;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks one node for some locks, again and again without waiting for answers, and keeps when each
 * was first granted. So what it sees is the cluster's delay and not that of its own retries.
 */
final class Prober implements AutoCloseable {

  /** A node ends a connection on which too many calls are given up. */
  private static final long EVERY_MS = 25;

  private static final long OFTEN_FOR_MS = 4_000;
  private static final long SELDOM_EVERY_MS = 250;
  private static final long ANSWER_WITHIN_MS = 8_000;
  private static final long RELEASED_WITHIN_MS = 2_000;
  private static final long TTL_MS = 600_000;

  /** Each key has a connection of its own. */
  private final Map<String, NodeClient> clients = new TreeMap<>();

  private final String holder = UUID.randomUUID().toString();
  private final Map<String, Long> grantedAt = new ConcurrentHashMap<>();
  private final Map<String, Long> tokens = new ConcurrentHashMap<>();
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
    long start = System.nanoTime();
    while (!ends && !isDone()) {
      clients.forEach(
          (key, client) -> {
            if (!grantedAt.containsKey(key)) {
              client.connect();
              ask(key, client);
            }
          });
      Wait.pause(Wait.sinceMs(start) < OFTEN_FOR_MS ? EVERY_MS : SELDOM_EVERY_MS);
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
              public void onError(Throwable failure) {}

              @Override
              public void onCompleted() {}
            });
  }

  boolean isDone() {
    return grantedAt.size() == clients.size();
  }

  /** When its locks were granted that have been by now, in order. */
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
