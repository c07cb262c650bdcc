package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockWatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes die and freeze under the Java client: its users see a pause, and no error. */
class ClientFailOverTest {

  private static final Duration WITHIN = Duration.ofSeconds(60);
  private static final int WORKERS = 16;
  private static final int KEYS = 8;

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

  /** Takes one lock again and again, and judges each grant. */
  private static final class Worker extends Thread {
    private final HoldfastClient client;
    private final String key;
    private final Map<String, AtomicLong> tokens;
    private final Map<String, AtomicBoolean> held;
    private final ConcurrentLinkedQueue<String> wrong;
    final AtomicLong cycles = new AtomicLong();
    volatile long longestPause;
    volatile boolean isEnough;

    Worker(
        HoldfastClient client,
        String key,
        Map<String, AtomicLong> tokens,
        Map<String, AtomicBoolean> held,
        ConcurrentLinkedQueue<String> wrong) {
      this.client = client;
      this.key = key;
      this.tokens = tokens;
      this.held = held;
      this.wrong = wrong;
    }

    @Override
    public void run() {
      try {
        long last = System.nanoTime();
        while (!isEnough) {
          cycle();
          long now = System.nanoTime();
          longestPause = Math.max(longestPause, now - last);
          last = now;
          cycles.incrementAndGet();
        }
      } catch (Exception e) {
        wrong.add(key + ": " + e);
      }
    }

    private void cycle() throws InterruptedException {
      try (Grant grant = client.lock(key).acquire()) {
        AtomicBoolean mine = held.computeIfAbsent(key, k -> new AtomicBoolean());
        if (!mine.compareAndSet(false, true)) {
          wrong.add(key + ": granted twice");
        }
        long before =
            tokens.computeIfAbsent(key, k -> new AtomicLong()).getAndSet(grant.fencingToken());
        if (before >= grant.fencingToken()) {
          wrong.add(key + ": token " + grant.fencingToken() + " after " + before);
        }
        grant.ensureHeld();
        mine.set(false);
        if (!grant.release()) {
          wrong.add(key + ": the grant was gone before its release");
        }
      }
    }
  }

  @Test
  void each_node_is_killed_in_turn_and_no_worker_sees_an_error() throws Exception {
    ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    Map<String, AtomicLong> tokens = new ConcurrentHashMap<>();
    Map<String, AtomicBoolean> held = new ConcurrentHashMap<>();
    try (HoldfastClient client = HoldfastClient.connect(cluster.endpoints())) {
      List<Grant> kept = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        kept.add(client.lock("kept/" + i).acquire(WITHIN));
      }
      List<Worker> workers = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        workers.add(new Worker(client, "work/" + i % KEYS, tokens, held, wrong));
      }
      workers.forEach(Thread::start);
      for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
        awaitCycles(workers, wrong);
        cluster.kill(node);
        awaitCycles(workers, wrong);
        cluster.restart(node);
      }
      awaitCycles(workers, wrong);
      workers.forEach(worker -> worker.isEnough = true);
      for (Worker worker : workers) {
        worker.join(WITHIN.toMillis());
      }
      System.out.println(
          "Longest pause of each worker while each node was killed [ms]: %s, after %d cycles"
              .formatted(
                  workers.stream().map(worker -> worker.longestPause / 1_000_000).toList(),
                  workers.stream().mapToLong(worker -> worker.cycles.get()).sum()));
      assertEquals(List.of(), List.copyOf(wrong));
      for (Grant grant : kept) {
        assertTrue(grant.isSurelyHeld(), () -> grant + " lost " + grant.lost());
        assertTrue(grant.release(), "I3 NoLostGrant");
      }
    }
  }

  private static void awaitCycles(List<Worker> workers, ConcurrentLinkedQueue<String> wrong) {
    List<Long> before = workers.stream().map(worker -> worker.cycles.get()).toList();
    eventually(
        "every worker goes on",
        WITHIN,
        () -> {
          assertEquals(List.of(), List.copyOf(wrong));
          long left = 0;
          for (int i = 0; i < workers.size(); i++) {
            left += workers.get(i).cycles.get() < before.get(i) + 3 ? 1 : 0;
          }
          return left;
        },
        left -> left == 0);
  }

  @Test
  void a_client_that_was_given_one_node_lives_without_it() throws Exception {
    BlockingQueue<String> changed = new LinkedBlockingQueue<>();
    try (HoldfastClient client = HoldfastClient.connect(cluster.endpoint(0));
        LockWatch watch = client.watchPrefix("given/", change -> changed.add(change.key()))) {
      assertTrue(watch.created().toCompletableFuture().get(20, TimeUnit.SECONDS));
      Grant kept = client.lock("given/kept").acquire(WITHIN);
      assertEquals("given/kept", changed.poll(20, TimeUnit.SECONDS));
      long token = client.take("given/taken", Duration.ofMinutes(5)).orElseThrow();
      assertEquals("given/taken", changed.poll(20, TimeUnit.SECONDS));
      cluster.kill(0);
      try {
        assertEquals(2, client.list("given/", 10).size());
        assertTrue(client.validate("given/taken", token).isHeld());
        assertTrue(client.unlock("given/taken", token));
        assertEquals("given/taken", changed.poll(30, TimeUnit.SECONDS));
        assertTrue(client.take("given/other", Duration.ofSeconds(1)).isPresent());
        assertTrue(kept.release());
      } finally {
        cluster.restart(0);
      }
    }
  }

  @Test
  void a_frozen_node_stalls_its_keys_for_4_s_and_others_for_2_s() throws Exception {
    int frozen = 1;
    try (HoldfastClient client =
        HoldfastClient.builder()
            .endpoint(cluster.endpoint(frozen))
            .endpoint(cluster.endpoint(0))
            .endpoint(cluster.endpoint(2))
            .ttl(Duration.ofSeconds(8))
            .connect()) {
      Map<String, Integer> owners = new TreeMap<>();
      List<Grant> kept = new ArrayList<>();
      for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
        String key = cluster.keyOwnedBy(node, "frozen/" + node + "/");
        owners.put(key, node);
        kept.add(client.lock(cluster.keyOwnedBy(node, "kept/" + node + "/")).acquire(WITHIN));
      }
      Map<String, AtomicLong> tokens = new ConcurrentHashMap<>();
      ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
      Map<String, Worker> workers = new TreeMap<>();
      for (String key : owners.keySet()) {
        workers.put(key, new Worker(client, key, tokens, new ConcurrentHashMap<>(), wrong));
      }
      workers.values().forEach(Thread::start);
      awaitCycles(List.copyOf(workers.values()), wrong);
      workers.values().forEach(worker -> worker.longestPause = 0);
      cluster.freeze(frozen);
      try {
        awaitCycles(List.copyOf(workers.values()), wrong);
      } finally {
        workers.values().forEach(worker -> worker.isEnough = true);
        cluster.thaw(frozen);
      }
      for (Map.Entry<String, Worker> entry : workers.entrySet()) {
        entry.getValue().join(WITHIN.toMillis());
        int owner = owners.getOrDefault(entry.getKey(), -1);
        long pause = entry.getValue().longestPause / 1_000_000;
        System.out.println(
            "A key of node %d, with node %d frozen: %d ms".formatted(owner, frozen, pause));
        assertTrue(pause <= (owner == frozen ? 4_000 : 2_000), entry.getKey() + ": " + pause);
      }
      assertEquals(List.of(), List.copyOf(wrong));
      for (Grant grant : kept) {
        assertTrue(grant.isSurelyHeld(), () -> grant + " lost " + grant.lost());
        assertTrue(grant.release(), "I3 NoLostGrant");
      }
    }
  }
}
