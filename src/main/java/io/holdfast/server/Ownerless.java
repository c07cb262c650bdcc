package io.holdfast.server;

import io.holdfast.id.ShardId;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * The shards that hold locks or leases, and have had no owner for long. A fail-over takes about a
 * second: after more than that nobody takes them, and nobody is served there. Used by one look
 * after the other; the count is safe for all threads.
 */
final class Ownerless {

  /** More than a fail-over and the start of a node take on a busy machine. */
  static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Map<ShardId, Long> since = new TreeMap<>();
  private volatile int count;

  /** These have none now. */
  void look(Collection<ShardId> shards, long nowNanos) {
    since.keySet().retainAll(shards);
    shards.forEach(shard -> since.putIfAbsent(shard, nowNanos));
    count = (int) since.values().stream().filter(at -> nowNanos - at > PATIENCE.toNanos()).count();
  }

  int count() {
    return count;
  }
}
