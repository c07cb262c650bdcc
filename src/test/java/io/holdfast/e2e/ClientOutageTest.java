package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.LeaseStatus;
import io.holdfast.client.LossReason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All nodes are away for longer than a client believes in its grants, and its session lives on. */
class ClientOutageTest {

  private static final Duration WITHIN = Duration.ofSeconds(30);
  private static final String NAME = "outage";

  @TempDir private Path folder;

  @Test
  void a_client_that_outlives_all_nodes_gets_its_locks_again() throws Exception {
    try (ClusterUnderTest cluster = ClusterUnderTest.serving(folder);
        HoldfastClient client =
            HoldfastClient.builder()
                .endpoint(cluster.endpoint(0))
                .endpoint(cluster.endpoint(1))
                .endpoint(cluster.endpoint(2))
                .clientId(NAME)
                .answerWithin(Duration.ofSeconds(1))
                .connect()) {
      Grant lost = taken(client, "lost");
      Grant released = taken(client, "released");
      long session = session(client).orElseThrow();
      for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
        cluster.kill(node);
      }
      assertThrows(HoldfastException.class, released::release);
      eventually("the loss is told", WITHIN, lost::lost, Optional::isPresent);
      assertEquals(Optional.of(LossReason.DEADLINE_PASSED), lost.lost());
      // Longer than the client tells anybody to wait for an answer.
      assertThrows(HoldfastException.class, () -> client.lock("lost").tryAcquire());

      cluster.restartAll();
      for (String key : new String[] {"lost", "released"}) {
        Grant again = taken(client, key);
        assertTrue(again.isSurelyHeld(), again::toString);
      }
      assertEquals(Optional.of(session), session(client), "the session has lived on");
    }
  }

  private static Grant taken(HoldfastClient client, String key) {
    return eventually(
            "[" + key + "] is had by its client",
            WITHIN,
            () -> {
              try {
                return client.lock(key).tryAcquire();
              } catch (HoldfastException e) {
                return Optional.<Grant>empty(); // the nodes are not all there yet
              }
            },
            Optional::isPresent)
        .orElseThrow();
  }

  private static Optional<Long> session(HoldfastClient client) {
    return client.leases(100).stream()
        .filter(lease -> lease.clientId().equals(NAME))
        .map(LeaseStatus::leaseId)
        .findFirst();
  }
}
