package holdfast.bench.cluster;

import holdfast.v1.LockResponse;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks one node for some locks, again and again without waiting for answers, and keeps when each
 * was first granted. So what it sees is the cluster's delay and not that of its own retries.
 */
final class Prober implements AutoCloseable {

  private static final long EVERY_MS = 25;
  private static final long ANSWER_WITHIN_MS = 2_000;
  private static final long TTL_MS = 600_000;

  private final NodeClient client;
  private final List<String> keys = new ArrayList<>();
  private final String holder = UUID.randomUUID().toString();
  private final Map<String, Long> grantedAt = new ConcurrentHashMap<>();
  private final Map<String, Long> tokens = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean ends;

  /** Begins to ask for a lock of its own in each of these shards. */
  Prober(NodePlace place, List<Integer> shards) {
    client = new NodeClient(place);
    shards.forEach(shard -> keys.add(Keys.of(shard, "probe/" + holder)));
    thread = new Thread(this::run, "probes-" + place.grpc());
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!ends && !isDone()) {
      for (String key : keys) {
        if (!grantedAt.containsKey(key)) {
          ask(key);
        }
      }
      Wait.pause(EVERY_MS);
    }
  }

  private void ask(String key) {
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
    return grantedAt.size() == keys.size();
  }

  /** When its locks were granted that have been by now, in order. */
  List<Long> grantedAt() {
    return grantedAt.values().stream().sorted().toList();
  }

  /** What it was granted. */
  Map<String, Long> tokens() {
    return Map.copyOf(tokens);
  }

  @Override
  public void close() {
    ends = true;
    try {
      thread.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    tokens.forEach((key, token) -> client.unlock(key, token, ANSWER_WITHIN_MS));
    client.close();
  }
}
