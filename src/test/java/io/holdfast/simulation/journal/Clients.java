package io.holdfast.simulation.journal;

import io.holdfast.id.LeaseLife;
import io.holdfast.journal.state.RequestKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Those who ask for locks, and keep them alive at the node that they speak to, until they die. */
final class Clients {

  static final int COUNT = 6;

  private final long[] requests = new long[COUNT];
  private final Map<Long, NodeProcess> speaksTo = new HashMap<>();
  private final Set<Long> dead = new HashSet<>();

  /** A new request of the client, or with luck one that it makes again. */
  RequestKey request(int client, List<LeaseLife> alive, SplittableRandom by) {
    long number = by.nextInt(12) == 0 ? requests[client] : ++requests[client];
    List<LeaseLife> lease = client == 0 ? any(alive, by) : List.of();
    return lease.isEmpty()
        ? new RequestKey.Named("client-" + client, "" + number)
        : new RequestKey.Numbered(lease.get(0), number, number / 2);
  }

  /** One of the leases; none if there is none. */
  static List<LeaseLife> any(List<LeaseLife> alive, SplittableRandom by) {
    return alive.isEmpty() ? List.of() : List.of(alive.get(by.nextInt(alive.size())));
  }

  /** True if the holder of this token says now, to this node, that it lives. */
  boolean speak(long token, NodeProcess node, SplittableRandom by) {
    if (by.nextInt(4) > 0 || dead.contains(token)) {
      return false;
    }
    if (by.nextInt(25) == 0) {
      dead.add(token);
    }
    if (by.nextInt(10) == 0) {
      speaksTo.put(token, node);
    }
    return speaksTo.computeIfAbsent(token, first -> node).equals(node);
  }
}
