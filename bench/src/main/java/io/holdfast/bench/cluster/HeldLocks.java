package io.holdfast.bench.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One lock in each shard, held all the time by a client that no fault affects. */
final class HeldLocks {

  private static final long TTL_MS = 3_600_000;
  private static final long ANSWER_WITHIN_MS = 2_000;
  private static final long SETTLED_WITHIN_MS = 30_000;

  private final Map<String, Long> tokens = new TreeMap<>();

  /** Takes them, by way of the node. */
  static HeldLocks take(Cluster cluster, int node) {
    HeldLocks held = new HeldLocks();
    try (NodeClient client = new NodeClient(cluster.place(node))) {
      for (int shard = 0; shard < Cluster.SHARDS; shard++) {
        String key = Keys.of(shard, "held");
        Wait.until(
            "[" + key + "] is held",
            SETTLED_WITHIN_MS,
            () -> {
              NodeClient.Answer answer = client.tryLock(key, "keeper", TTL_MS, ANSWER_WITHIN_MS);
              if (answer instanceof NodeClient.Answer.Held now) {
                held.tokens.put(key, now.token());
              }
              return held.tokens.containsKey(key);
            },
            cluster::state);
      }
    }
    return held;
  }

  /** Checks at each of these nodes that the locks are held under the same tokens. */
  void check(Cluster cluster, List<Integer> nodes, Claims claims) {
    for (int node : nodes) {
      try (NodeClient client = new NodeClient(cluster.place(node))) {
        tokens.forEach((key, token) -> check(client, key, token, node, claims));
      }
    }
  }

  private static void check(NodeClient client, String key, long token, int node, Claims claims) {
    List<NodeClient.Answer> answers = new ArrayList<>();
    try {
      Wait.until(
          "[" + key + "] is read",
          SETTLED_WITHIN_MS,
          () -> {
            NodeClient.Answer answer = client.get(key, ANSWER_WITHIN_MS);
            answers.add(answer);
            return !(answer instanceof NodeClient.Answer.Failed);
          },
          () -> answers.isEmpty() ? "" : answers.get(answers.size() - 1).toString());
    } catch (IllegalStateException e) {
      claims.violation("I12: by node " + node + ": " + e.getMessage());
      return;
    }
    NodeClient.Answer last = answers.get(answers.size() - 1);
    if (!last.equals(new NodeClient.Answer.Taken(token))) {
      claims.violation(
          "I3: [%s] was held under [%d], and by node %d it is %s"
              .formatted(key, token, node, last));
    }
  }
}
