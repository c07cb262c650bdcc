package io.holdfast.e2e;

import static io.holdfast.e2e.ServiceUnderTest.get;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.cluster.Member;
import akka.cluster.typed.Cluster;
import io.holdfast.service.LockGrant;
import io.holdfast.v1.GetLockResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service without shards and without a log of its own uses the locks of three nodes. */
class ServiceNodeTest {

  private static final Duration TTL = Duration.ofSeconds(8);

  /** The longest delay that a busy machine may add. */
  private static final Duration BUSY = Duration.ofSeconds(10);

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private static Path folder;
  private static ClusterUnderTest cluster;
  private static List<String> contacts;
  private static ServiceUnderTest service;

  @BeforeAll
  static void start() {
    cluster = ClusterUnderTest.serving(folder);
    contacts = IntStream.range(0, ClusterUnderTest.SIZE).mapToObj(cluster::actors).toList();
    service = new ServiceUnderTest(contacts);
  }

  @AfterAll
  static void stop() {
    service.close();
    cluster.close();
  }

  @Test
  void a_service_excludes_clients_and_other_calls_of_its_own() {
    LockGrant grant = get(service.holdfast.lock("orders/1").tryLock(TTL)).orElseThrow();
    GetLockResponse seen = cluster.get(1, "orders/1");
    assertEquals(grant.token().value(), seen.getLock().getHolders(0).getFencingToken());
    assertEquals(Optional.empty(), get(service.holdfast.lock("orders/1").tryLock(TTL)));
    assertTrue(grant.isSurelyHeld());
    assertTrue(get(grant.renew()));
    assertTrue(get(grant.unlock()));
    assertFalse(grant.isSurelyHeld());
    assertFalse(get(grant.unlock()), "a second unlock ends nothing");
  }

  @Test
  void a_waiter_is_granted_the_lock_when_it_is_unlocked() {
    LockGrant first = get(service.holdfast.lock("orders/2").tryLock(TTL)).orElseThrow();
    var second = service.holdfast.lock("orders/2").lock(TTL, PATIENCE);
    cluster.awaitWaiters(0, "orders/2", 1);
    get(first.unlock());
    LockGrant next = get(second).orElseThrow();
    assertTrue(next.token().value() > first.token().value());
    assertTrue(next.isSurelyHeld());
    get(next.unlock());
  }

  @Test
  void a_waiter_in_vain_is_told_so() {
    LockGrant first = get(service.holdfast.lock("orders/3").tryLock(TTL)).orElseThrow();
    assertEquals(
        Optional.empty(), get(service.holdfast.lock("orders/3").lock(TTL, Duration.ofMillis(300))));
    get(first.unlock());
  }

  @Test
  void a_caller_that_gives_up_waits_no_more() {
    LockGrant first = get(service.holdfast.lock("orders/given-up").tryLock(TTL)).orElseThrow();
    var second = service.holdfast.lock("orders/given-up").lock(TTL, PATIENCE).toCompletableFuture();
    cluster.awaitWaiters(0, "orders/given-up", 1);
    second.cancel(false);
    cluster.awaitWaiters(0, "orders/given-up", 0);
    get(first.unlock());
    assertEquals(0, cluster.get(1, "orders/given-up").getLock().getHoldersCount());
  }

  @Test
  void a_grant_is_kept_alive_beyond_its_ttl() {
    Duration shortly = Duration.ofMillis(900);
    LockGrant grant = get(service.holdfast.lock("orders/4").tryLock(shortly)).orElseThrow();
    long begun = System.nanoTime();
    eventually(
        "three times its ttl",
        ServiceUnderTest.WITHIN,
        () -> System.nanoTime() - begun,
        passed -> passed > 3 * shortly.toNanos());
    assertTrue(grant.isSurelyHeld());
    assertEquals(1, cluster.get(2, "orders/4").getLock().getHoldersCount());
    get(grant.unlock());
  }

  @Test
  void a_killed_service_s_lock_goes_to_the_next_within_its_ttl() {
    Duration ttl = Duration.ofSeconds(3);
    try (ServiceProcess other = ServiceProcess.start(folder, contacts, "orders/5", ttl)) {
      other.awaitHolding();
      var next = service.holdfast.lock("orders/5").lock(TTL, PATIENCE);
      cluster.awaitWaiters(0, "orders/5", 1);
      long killed = System.nanoTime();
      other.process().destroyForcibly();
      LockGrant grant = get(next).orElseThrow();
      Duration took = Duration.ofNanos(System.nanoTime() - killed);
      assertTrue(took.compareTo(ttl.plus(BUSY)) < 0, took::toString);
      get(grant.unlock());
    }
  }

  @Test
  void a_frozen_service_is_downed_and_ends_when_it_goes_on() {
    try (ServiceProcess other = ServiceProcess.start(folder, contacts, "orders/6", TTL)) {
      String address = other.awaitHolding();
      assertTrue(members().contains(address), () -> members().toString());
      Signals.stop(other.process());
      eventually(
          "the service that stands still is no member any more",
          ServiceUnderTest.WITHIN,
          ServiceNodeTest::members,
          members -> !members.contains(address));
      Signals.send(other.process(), "CONT");
      assertEquals(3, other.awaitEnd(), other::output);
    }
    assertTrue(service.holdfast.isMember());
  }

  @Test
  void a_service_is_answered_though_the_lock_s_node_is_killed() {
    int node = 0; // by which the service follows the log, too
    String key = cluster.keyOwnedBy(node, "orders/moving/");
    LockGrant held = get(service.holdfast.lock(key).tryLock(TTL)).orElseThrow();
    cluster.kill(node);
    long killed = System.nanoTime();
    try {
      assertEquals(Optional.empty(), get(service.holdfast.lock(key).tryLock(TTL)));
      Duration took = Duration.ofNanos(System.nanoTime() - killed);
      assertTrue(held.isSurelyHeld(), "its keepalive found the new owner");
      var waits = service.holdfast.lock(key).lock(TTL, PATIENCE);
      assertTrue(get(held.unlock()));
      LockGrant next = get(waits).orElseThrow();
      assertTrue(next.token().value() > held.token().value());
      get(next.unlock());
      assertTrue(took.compareTo(BUSY.multipliedBy(2)) < 0, took::toString);
      System.out.println("the service was answered " + took.toMillis() + " ms after the kill");
    } finally {
      cluster.restart(node);
    }
    eventually(
        "the service is a member still",
        ServiceUnderTest.WITHIN,
        service.holdfast::isMember,
        Boolean::booleanValue);
  }

  private static List<String> members() {
    List<String> members = new ArrayList<>();
    for (Member member : Cluster.get(service.system).state().getMembers()) {
      members.add(member.address().toString());
    }
    return members;
  }
}
