package io.holdfast.e2e;

import static io.holdfast.e2e.ServiceUnderTest.get;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.service.LockGrant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All nodes end at once, and begin again: a service outlives them. */
class ServiceOverRestartTest {

  private static final Duration TTL = Duration.ofSeconds(10);

  @Test
  void a_service_goes_on_with_the_nodes_and_so_does_what_it_holds(@TempDir Path folder) {
    try (ClusterUnderTest cluster = ClusterUnderTest.serving(folder);
        ServiceUnderTest service = new ServiceUnderTest(List.of(cluster.actors(1)))) {
      LockGrant held =
          get(service.holdfast.lock("orders").tryLock(Duration.ofMinutes(5))).orElseThrow();
      IntStream.range(0, ClusterUnderTest.SIZE).forEach(cluster::kill);
      cluster.restartAll();
      assertTrue(service.holdfast.isMember());
      assertTrue(held.isSurelyHeld());
      assertTrue(get(held.unlock()));
      LockGrant next = get(service.holdfast.lock("orders").tryLock(TTL)).orElseThrow();
      assertTrue(next.token().value() > held.token().value());
      get(next.unlock());
    }
  }

  @Test
  void nodes_restart_though_an_ended_service_is_in_the_log(@TempDir Path folder) {
    try (ClusterUnderTest cluster = ClusterUnderTest.serving(folder);
        ServiceProcess service =
            ServiceProcess.start(folder, List.of(cluster.actors(1)), "orders", TTL)) {
      service.awaitHolding();
      IntStream.range(0, ClusterUnderTest.SIZE).forEach(cluster::kill);
      service.process().destroyForcibly();
      cluster.restartAll();
      try (ServiceUnderTest next = new ServiceUnderTest(List.of(cluster.actors(2)))) {
        LockGrant grant =
            get(next.holdfast.lock("orders").lock(TTL, Duration.ofSeconds(30))).orElseThrow();
        get(grant.unlock());
      }
    }
  }
}
