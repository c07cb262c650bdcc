package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockChange;
import io.holdfast.client.LockStatus;
import io.holdfast.client.LockWatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests reads and watches of the Java client at three nodes. */
class ClientReadsTest {

  private static final Duration WITHIN = Duration.ofSeconds(30);

  @TempDir private static Path folder;
  private static ClusterUnderTest cluster;

  @BeforeAll
  static void start() {
    cluster = ClusterUnderTest.serving(folder);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void locks_leases_and_tokens_are_read() throws Exception {
    try (HoldfastClient client =
        HoldfastClient.builder()
            .endpoint(cluster.endpoint(0))
            .clientId("reader")
            .ttl(Duration.ofSeconds(20))
            .connect()) {
      Grant a = client.lock("list/a").acquire(WITHIN);
      Grant b = client.lock("list/b").withTtl(Duration.ofSeconds(30)).acquire(WITHIN);
      assertEquals(
          List.of("list/a", "list/b"),
          client.list("list/", 10).stream().map(LockStatus::key).toList());
      assertEquals(1, client.list("list/", 1).size());
      assertTrue(client.validate("list/a", a.fencingToken()).isHeld());
      assertFalse(client.validate("list/a", a.fencingToken() + 1).isHeld());
      assertEquals(b.fencingToken(), client.validate("list/b", 1).newestHeld());
      assertTrue(
          client.leases(1_000).stream()
              .anyMatch(lease -> lease.clientId().equals("reader") && lease.isSession()));
      assertTrue(a.release() && b.release());
      assertEquals(List.of(), client.list("list/", 10));
    }
  }

  @Test
  void a_watch_goes_on_without_a_gap_when_its_node_dies() throws Exception {
    Queue<LockChange> seen = new ConcurrentLinkedQueue<>();
    int victim = 2;
    try (HoldfastClient worker = HoldfastClient.connect(cluster.endpoint(0), cluster.endpoint(1));
        HoldfastClient watcher =
            HoldfastClient.connect(cluster.endpoint(victim), cluster.endpoint(0));
        LockWatch watch = watcher.watchPrefix("watched/", seen::add)) {
      watch.created().toCompletableFuture().get(WITHIN.toSeconds(), TimeUnit.SECONDS);
      List<Long> tokens = new ArrayList<>();
      turns(worker, tokens);
      eventually("the first changes", WITHIN, seen::size, size -> size == 2 * tokens.size());
      cluster.kill(victim);
      turns(worker, tokens);
      eventually("the others", WITHIN, seen::size, size -> size >= 2 * tokens.size());
      assertEquals(
          tokens,
          seen.stream()
              .filter(change -> !change.isFree())
              .map(change -> change.holders().get(0).fencingToken())
              .toList(),
          "I11 WatchComplete");
      assertEquals(2 * tokens.size(), seen.size());
      List<Long> revisions = seen.stream().map(LockChange::revision).toList();
      assertEquals(revisions.stream().sorted().distinct().toList(), revisions);
    } finally {
      cluster.restart(victim);
    }
  }

  private static void turns(HoldfastClient worker, List<Long> tokens) throws Exception {
    for (int i = 0; i < 20; i++) {
      try (Grant grant = worker.lock("watched/" + i % 3).acquire(WITHIN)) {
        tokens.add(grant.fencingToken());
      }
    }
  }
}
