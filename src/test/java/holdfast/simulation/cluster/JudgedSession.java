package holdfast.simulation.cluster;

import holdfast.lock.ClientId;
import holdfast.lock.LeaseLife;
import holdfast.lock.RequestId;
import java.util.HashMap;
import java.util.Map;

/** How often a client's sessions have sent each of their lock requests, by whichever stream. */
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

  /** Whether no other copy of it was ever sent: then nothing but its refusal is to be expected. */
  boolean isOnly(RequestId request) {
    return copies.getOrDefault(request, 0) <= 1;
  }
}
