package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are killed or stopped, each a process of its own, against three nodes. */
class ClientProcessTest {

  private static final Duration WITHIN = Duration.ofSeconds(30);
  private static final Duration TTL = Duration.ofSeconds(1);

  @TempDir private Path folder;
  private final ClusterUnderTest cluster = ClusterUnderTest.shared();

  @Test
  void the_waiter_of_a_killed_client_is_gone_within_its_lease() throws Exception {
    try (HoldfastClient client = HoldfastClient.connect(cluster.endpoints())) {
      Grant first = client.lock("killed").acquire(WITHIN);
      try (HoldingProcess killed =
          HoldingProcess.start(folder, cluster.endpoint(1), "killed", Duration.ofSeconds(3))) {
        cluster.awaitWaiters(0, "killed", 1);
        CompletableFuture<Grant> next =
            client.lock("killed").acquireAsync(WITHIN).toCompletableFuture();
        cluster.awaitWaiters(0, "killed", 2);
        killed.process().destroyForcibly();
        long killedAt = System.nanoTime();
        cluster.awaitWaiters(0, "killed", 1);
        Duration gone = Duration.ofNanos(System.nanoTime() - killedAt);
        System.out.println(
            "The waiter of a killed client was gone after " + gone.toMillis() + " ms");
        assertTrue(gone.compareTo(Duration.ofSeconds(13)) < 0, gone::toString);
        assertTrue(first.release());
        next.get(WITHIN.toSeconds(), TimeUnit.SECONDS).close();
      }
    }
  }

  @Test
  void a_client_paused_beyond_its_deadline_has_no_side_effects() throws Exception {
    int tries = "large".equals(System.getProperty("bounds")) ? 100 : 10;
    try (HoldfastClient client = HoldfastClient.connect(cluster.endpoints())) {
      for (int i = 0; i < tries; i++) {
        String key = "stopped/" + i;
        try (HoldingProcess stopped = holding(cluster.endpoint(i % 3), key)) {
          Signals.stop(stopped.process());
          // No client can take back an effect that it had begun when it was stopped.
          long allowed = stopped.effects() + (stopped.isBetweenCheckAndEffect() ? 1 : 0);
          try (Grant next = client.lock(key).acquire(WITHIN)) {
            Signals.send(stopped.process(), "CONT");
            String end = eventually("it ends", WITHIN, stopped::end, text -> !text.isEmpty());
            assertEquals("DEADLINE_PASSED", end);
            assertTrue(stopped.effects() <= allowed, "a side effect of who had lost the lock");
            assertTrue(next.isSurelyHeld());
          }
        }
      }
    }
  }

  /**
   * Starts a process that holds the lock. On a busy machine it may lose its short lease at first.
   */
  private HoldingProcess holding(String endpoint, String key) {
    for (int attempt = 0; attempt < 20; attempt++) {
      HoldingProcess process = HoldingProcess.start(folder, endpoint, key, TTL);
      try {
        eventually(
            "it holds, or has lost the lock",
            WITHIN,
            () -> process.effects() > 3 || !process.end().isEmpty(),
            ready -> ready);
      } catch (AssertionError e) {
        process.close();
        throw e;
      }
      if (process.end().isEmpty()) {
        return process;
      }
      process.close();
    }
    throw new AssertionError("no process held the lock for long");
  }
}
