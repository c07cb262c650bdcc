package io.holdfast.bench.cluster;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.holdfast.bench.cluster.NodeClient.Answer;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.UnlockResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Requests to a frozen node for locks that get other holders meanwhile: its own memory of them is
 * stale.
 */
final class StaleRequests implements AutoCloseable {

  private static final long TTL_MS = 600_000;
  private static final long OPEN_FOR_MS = 90_000;
  private static final long WITHIN_MS = 5_000;
  private static final long SETTLED_WITHIN_MS = 30_000;
  private static final int MAX_SHARDS = 6;

  private final NodeClient frozen;
  private final NodeClient other;

  /** Keys that were held when the node was frozen, and the token then. */
  private final Map<String, Long> before = new TreeMap<>();

  /** The token under which each key is held meanwhile. */
  private final Map<String, Long> meanwhile = new ConcurrentHashMap<>();

  /** Keys that were free when the node was frozen. */
  private final List<String> free = new ArrayList<>();

  /** The number of answers of each kind. */
  private final Map<String, Integer> answers = new ConcurrentHashMap<>();

  private final Map<String, Integer> untrue = new ConcurrentHashMap<>();

  private StaleRequests(NodeClient frozen, NodeClient other) {
    this.frozen = frozen;
    this.other = other;
  }

  /**
   * Locks some keys of the node by way of itself, so that it knows them and its sockets are open.
   */
  static StaleRequests prepare(Cluster cluster, int victim, int other, List<Integer> shards) {
    StaleRequests requests =
        new StaleRequests(
            new NodeClient(cluster.place(victim)), new NodeClient(cluster.place(other)));
    String run = "stale/" + System.nanoTime();
    for (int shard : shards.subList(0, Math.min(MAX_SHARDS, shards.size()))) {
      String held = Keys.of(shard, run + "/held");
      requests.before.put(held, lock(requests.frozen, held, "before"));
      String free = Keys.of(shard, run + "/free");
      requests.frozen.unlock(free, lock(requests.frozen, free, "before"), WITHIN_MS);
      requests.free.add(free);
    }
    return requests;
  }

  private static long lock(NodeClient client, String key, String holder) {
    long[] token = new long[1];
    Wait.until(
        "[" + key + "] is locked",
        SETTLED_WITHIN_MS,
        () -> {
          if (client.tryLock(key, holder, TTL_MS, WITHIN_MS) instanceof Answer.Held held) {
            token[0] = held.token();
          }
          return token[0] != 0;
        },
        () -> "");
    return token[0];
  }

  /** Lets another client acquire all keys, by way of another node. */
  void changeHands() {
    before.forEach(
        (key, token) -> {
          other.unlock(key, token, WITHIN_MS);
          meanwhile.put(key, lock(other, key, "meanwhile"));
        });
    free.forEach(key -> meanwhile.put(key, lock(other, key, "meanwhile")));
  }

  /** Sends a request of each kind for each key, and waits for none. */
  void pileUp() {
    boolean changed = !meanwhile.isEmpty();
    if (!changed) {
      return; // until then the answers that are asked for would be true
    }
    before.forEach(
        (key, token) -> {
          frozen
              .async(OPEN_FOR_MS)
              .unlock(
                  NodeClient.unlockRequest(key, token),
                  observe("release", key, (UnlockResponse ok) -> new Answer.Free()));
          frozen
              .async(OPEN_FOR_MS)
              .tryLock(
                  NodeClient.lockRequest(key, "before", TTL_MS),
                  observe("renewal", key, (LockResponse ok) -> NodeClient.read(ok)));
          frozen
              .async(OPEN_FOR_MS)
              .getLock(
                  NodeClient.getRequest(key),
                  observe("get", key, (GetLockResponse ok) -> NodeClient.read(ok)));
        });
    free.forEach(
        key -> {
          frozen
              .async(OPEN_FOR_MS)
              .tryLock(
                  NodeClient.lockRequest(key, "late", TTL_MS),
                  observe("try-lock", key, (LockResponse ok) -> NodeClient.read(ok)));
          frozen
              .async(OPEN_FOR_MS)
              .getLock(
                  NodeClient.getRequest(key),
                  observe("get", key, (GetLockResponse ok) -> NodeClient.read(ok)));
        });
  }

  private <T> StreamObserver<T> observe(String what, String key, Function<T, Answer> read) {
    return new StreamObserver<>() {
      @Override
      public void onNext(T ok) {
        answered(what, key, read.apply(ok));
      }

      @Override
      public void onError(Throwable failure) {
        if (failure instanceof StatusRuntimeException status) {
          answered(what, key, NodeClient.failed(status));
        }
      }

      @Override
      public void onCompleted() {}
    };
  }

  private void answered(String what, String key, Answer answer) {
    answers.merge(answer.getClass().getSimpleName(), 1, Integer::sum);
    boolean isTrue =
        answer instanceof Answer.Failed
            || (what.equals("release")
                ? answer instanceof Answer.NotHolder
                : answer.equals(new Answer.Taken(meanwhile.getOrDefault(key, 0L))));
    if (!isTrue) {
      untrue.merge(what + " " + answer.getClass().getSimpleName(), 1, Integer::sum);
    }
  }

  /** Reports the answers of the node, and those that were not true. */
  String judge(Claims claims) {
    if (!untrue.isEmpty()) {
      claims.violation("I10: a node that was frozen answered what was not true: " + untrue);
    }
    return answers.toString();
  }

  @Override
  public void close() {
    meanwhile.forEach((key, token) -> other.unlock(key, token, WITHIN_MS));
    frozen.close();
    other.close();
  }
}
