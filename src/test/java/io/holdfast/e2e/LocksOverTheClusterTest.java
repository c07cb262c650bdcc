package io.holdfast.e2e;

import static io.holdfast.e2e.Asked.answer;
import static io.holdfast.e2e.Asked.reason;
import static io.holdfast.e2e.Asked.refusal;
import static io.holdfast.e2e.ClusterUnderTest.WITHIN;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import io.holdfast.v1.Cause;
import io.holdfast.v1.Effect;
import io.holdfast.v1.Event;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.UnlockResponse;
import io.holdfast.v1.WatchCreate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Locks by way of any node of three: who holds, who waits, who is told what, and when. */
class LocksOverTheClusterTest {

  private static final AtomicLong KEYS = new AtomicLong();

  private static ClusterUnderTest cluster;

  private final String key = "locks/" + KEYS.incrementAndGet();

  @BeforeAll
  static void start() {
    cluster = ClusterUnderTest.shared();
  }

  @Test
  void a_lock_held_through_one_node_is_held_at_all_nodes() {
    LockResponse held = hold("anna");
    for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
      LockResponse taken = cluster.node(node).tryLock(Asked.lock(key, "bert").build());
      assertFalse(taken.getAcquired());
      assertEquals(Reason.REASON_LOCKED, taken.getReason());
      assertEquals("anna", taken.getHolder().getHolderId());
    }
    UnlockResponse released = release(1, held.getFencingToken());
    assertTrue(released.getReleased());
    assertTrue(released.getHeader().getRevision() > held.getHeader().getRevision());
    LockResponse next = cluster.node(2).tryLock(Asked.lock(key, "bert").build());
    assertTrue(next.getAcquired() && next.getFencingToken() > held.getFencingToken());
  }

  @Test
  void a_waiter_is_granted_the_released_lock() {
    LockResponse held = hold("anna");
    ListenableFuture<LockResponse> waiting =
        cluster.future(1).lock(Asked.waiting(key, "bert").build());
    cluster.awaitWaiters(2, key, 1);
    release(2, held.getFencingToken());
    LockResponse granted = answer(waiting);
    assertTrue(granted.getAcquired() && granted.getHeldNow() && granted.getWaited());
    assertTrue(granted.getFencingToken() > held.getFencingToken());
    assertEquals(0, cluster.get(0, key).getWaiterCount());
  }

  @Test
  void a_timed_wait_ends_without_it_not_before_its_time() {
    hold("anna");
    long asked = System.nanoTime();
    LockResponse refused =
        cluster.node(1).lock(Asked.waiting(key, "bert").setTimeoutMs(400).build());
    assertTrue(System.nanoTime() - asked >= Duration.ofMillis(400).toNanos());
    assertFalse(refused.getAcquired());
    assertEquals(Reason.REASON_WAIT_TIMED_OUT, refused.getReason());
    assertEquals(1, refused.getQueuePosition());
    assertEquals(0, cluster.get(2, key).getWaiterCount());
  }

  @Test
  void a_holder_that_asks_again_keeps_its_token_and_may_count() {
    LockResponse first = hold("anna");
    LockResponse same = cluster.node(1).lock(Asked.lock(key, "anna").build());
    LockResponse again = cluster.node(2).lock(Asked.lock(key, "anna").setReenter(true).build());
    assertEquals(first.getFencingToken(), same.getFencingToken());
    assertEquals(1, same.getCount());
    assertEquals(first.getFencingToken(), again.getFencingToken());
    assertEquals(2, again.getCount());
    UnlockResponse once = release(1, first.getFencingToken());
    assertFalse(once.getReleased());
    assertEquals(1, once.getCount());
    assertEquals(1, cluster.get(0, key).getLock().getHolders(0).getCount());
    assertTrue(release(0, first.getFencingToken()).getReleased());
  }

  @Test
  void all_of_a_count_is_released_at_once_if_asked() {
    long token = hold("anna").getFencingToken();
    cluster.node(0).lock(Asked.lock(key, "anna").setReenter(true).build());
    assertTrue(
        cluster
            .node(1)
            .unlock(Asked.unlock(key, token).toBuilder().setAll(true).build())
            .getReleased());
  }

  @Test
  void a_release_with_a_stale_token_is_refused_with_the_holder() {
    long stale = hold("anna").getFencingToken();
    release(0, stale);
    long current = hold("bert").getFencingToken();
    Refusal refusal = refusal(() -> release(1, stale));
    assertEquals(Reason.REASON_NOT_HOLDER, refusal.getReason());
    assertEquals(Effect.EFFECT_NONE, refusal.getEffect());
    assertEquals(cluster.get(1, key).getHeader().getMemberId(), refusal.getHeader().getMemberId());
    assertEquals("bert", refusal.getHolder().getHolderId());
    assertEquals(current, refusal.getHolder().getFencingToken());
    assertEquals(current, cluster.get(2, key).getLock().getHolders(0).getFencingToken());
  }

  @Test
  void two_threads_of_one_client_exclude_each_other() {
    LockResponse one = cluster.node(0).lock(Asked.lock(key, "thread 1").setClientId("app").build());
    LockResponse two = cluster.node(0).lock(Asked.lock(key, "thread 2").setClientId("app").build());
    assertTrue(one.getAcquired());
    assertFalse(two.getAcquired());
    assertEquals("thread 1", two.getHolder().getHolderId());
  }

  @Test
  void the_same_holder_id_of_another_client_is_another_holder() {
    assertTrue(
        cluster.node(0).lock(Asked.lock(key, "h").setClientId("app 1").build()).getAcquired());
    assertFalse(
        cluster.node(0).lock(Asked.lock(key, "h").setClientId("app 2").build()).getAcquired());
  }

  @Test
  void an_expiry_hands_over_soon_after_the_ttl_and_never_before() {
    List<Long> late = new ArrayList<>();
    int ttl = 500;
    for (int round = 0; round < 5; round++) {
      String each = key + "/" + round;
      try (WatchUnderTest watch = watch(each)) {
        long asked = System.nanoTime();
        cluster.node(0).lock(Asked.lock(each, "anna").setTtlMs(ttl).build());
        long answered = System.nanoTime();
        LockResponse granted = answer(cluster.future(1).lock(Asked.waiting(each, "bert").build()));
        List<Event> events = watch.awaitEvents(2);
        assertEquals(Cause.CAUSE_HANDED_OVER, events.get(1).getCause());
        assertEquals(Cause.CAUSE_EXPIRED, events.get(1).getEndCause());
        assertEquals(
            granted.getFencingToken(), events.get(1).getLock().getHolders(0).getFencingToken());
        long told = watch.arrivedAt(events.get(1));
        // I4 ServerNeverEarly: the server's count began after the question.
        assertTrue(told - asked >= Duration.ofMillis(ttl).toNanos(), "expired early");
        late.add(Duration.ofNanos(told - answered).toMillis() - ttl);
      }
    }
    System.out.println("A hand-over by expiry came so many ms after the ttl: " + late);
    long best = late.stream().mapToLong(Long::longValue).min().orElseThrow();
    assertTrue(best <= 1_000, "usually less than 100 ms, on a busy machine more: " + late);
  }

  @Test
  void a_hundred_waiters_are_told_once_each_in_their_order() {
    int waiters = 100;
    long token = hold("first").getFencingToken();
    List<ListenableFuture<LockResponse>> waiting = new ArrayList<>();
    try (WatchUnderTest watch = watch(key)) {
      for (int i = 0; i < waiters; i++) {
        waiting.add(
            cluster.future(i % ClusterUnderTest.SIZE).lock(Asked.waiting(key, "w" + i).build()));
        if (i % 10 == 9) { // within ten their order is free
          cluster.awaitWaiters(0, key, i + 1);
        }
      }
      List<String> queue =
          cluster.get(0, key).getWaitersList().stream().map(w -> w.getHolderId()).toList();
      assertEquals(waiters, queue.size());
      List<Event> events = List.of();
      for (int turn = 0; turn < waiters; turn++) {
        release(turn % ClusterUnderTest.SIZE, token);
        int who = Integer.parseInt(queue.get(turn).substring(1));
        LockResponse granted = answer(waiting.get(who));
        assertTrue(granted.getAcquired() && granted.getFencingToken() > token);
        token = granted.getFencingToken();
        assertEquals(
            turn + 1L, waiting.stream().filter(ListenableFuture::isDone).count(), "one is told");
        events = watch.awaitEvents(turn + 1);
        assertEquals(queue.get(turn), events.get(turn).getLock().getHolders(0).getHolderId());
      }
      assertTrue(events.stream().allMatch(event -> event.getCause() == Cause.CAUSE_HANDED_OVER));
      assertEquals(waiters, watch.events().size(), "one event a release");
    }
  }

  @Test
  void a_waiter_without_keepalives_leaves_the_queue() {
    hold("anna");
    var channel = cluster.connect(1);
    var unused =
        io.holdfast.v1.LockServiceGrpc.newFutureStub(channel)
            .lock(Asked.waiting(key, "bert").setTtlMs(500).build());
    cluster.awaitWaiters(0, key, 1);
    channel.shutdownNow();
    cluster.awaitWaiters(0, key, 0);
  }

  @Test
  void a_wait_whose_call_is_cancelled_is_over() {
    hold("anna");
    ListenableFuture<LockResponse> waiting =
        cluster.future(1).lock(Asked.waiting(key, "bert").build());
    cluster.awaitWaiters(0, key, 1);
    waiting.cancel(/* mayInterruptIfRunning= */ true);
    cluster.awaitWaiters(0, key, 0);
  }

  @Test
  void the_owner_is_told_by_every_node_alike() {
    hold("anna");
    int owner = cluster.owner(0, key);
    for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
      int asked = node;
      eventually("owner", WITHIN, () -> cluster.owner(asked, key), hint -> hint == owner);
      assertNotEquals(0, cluster.get(node, key).getOwner().getEpoch());
      assertEquals(cluster.address(owner), cluster.get(node, key).getOwner().getEndpoint());
    }
  }

  @Test
  void a_renewal_keeps_a_grant_beyond_its_ttl() {
    LockResponse held = cluster.node(0).lock(Asked.lock(key, "anna").setTtlMs(1_000).build());
    long until = System.nanoTime() + Duration.ofMillis(2_500).toNanos();
    for (int turn = 0; System.nanoTime() < until; turn++) {
      var renewed =
          cluster
              .node(turn % ClusterUnderTest.SIZE)
              .renew(
                  io.holdfast.v1.RenewRequest.newBuilder()
                      .setKey(key)
                      .setFencingToken(held.getFencingToken())
                      .build());
      assertTrue(renewed.getHeldNow());
      assertEquals(1_000, renewed.getGrantedTtlMs());
    }
    eventually("it ends", WITHIN, () -> cluster.get(0, key).hasLock(), isHeld -> !isHeld);
    assertEquals(
        Reason.REASON_NOT_HOLDER,
        reason(
            () ->
                cluster
                    .node(1)
                    .renew(
                        io.holdfast.v1.RenewRequest.newBuilder()
                            .setKey(key)
                            .setFencingToken(held.getFencingToken())
                            .build())));
  }

  private WatchUnderTest watch(String watched) {
    return WatchUnderTest.created(cluster.stream(2), WatchCreate.newBuilder().setKey(watched));
  }

  private LockResponse hold(String holder) {
    LockResponse held = cluster.node(0).lock(Asked.lock(key, holder).build());
    assertTrue(held.getAcquired());
    return held;
  }

  private UnlockResponse release(int node, long token) {
    return cluster.node(node).unlock(Asked.unlock(key, token));
  }
}
