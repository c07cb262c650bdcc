package io.holdfast.simulation.cluster;

import io.holdfast.id.LeaseLife;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.RequestId;
import java.util.HashMap;
import java.util.Map;

/**
 * The lock requests of a client's sessions, and how many copies of each went out, by any stream.
 */
final class JudgedSession {

  private final ClusterLocks locks;
  private final ClientId client;
  private final Map<RequestId, Integer> copies = new HashMap<>();

  JudgedSession(ClusterLocks locks, String client) {
    this.locks = locks;
    this.client = new ClientId(client);
  }

  ClusterLocks locks() {
    return locks;
  }

  RequestId request(LeaseLife session, long number) {
    return new RequestId.Numbered(client, session, number);
  }

  void sent(RequestId request) {
    copies.merge(request, 1, Integer::sum);
  }

  /** True if it was sent only once: then its refusal is final. */
  boolean isOnly(RequestId request) {
    return copies.getOrDefault(request, 0) <= 1;
  }
}
