package io.holdfast.e2e;

import static io.holdfast.e2e.Asked.answer;
import static io.holdfast.e2e.Asked.reason;
import static io.holdfast.e2e.Asked.refusal;
import static io.holdfast.e2e.ClusterUnderTest.WITHIN;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import io.holdfast.v1.CancelRequest;
import io.holdfast.v1.CancelResponse;
import io.holdfast.v1.Cause;
import io.holdfast.v1.Event;
import io.holdfast.v1.ForceUnlockRequest;
import io.holdfast.v1.ForceUnlockResponse;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Reason;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.RenewResponse;
import io.holdfast.v1.UnlockRequest;
import io.holdfast.v1.UnlockResponse;
import io.holdfast.v1.WatchCreate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Requests with an id, at any node: sent again, renewed, cancelled, and taken away. */
class RequestsOverTheClusterTest {

  /** Calls under way: fewer than one address may have. */
  private static final int AT_ONCE = 300;

  private static final AtomicLong KEYS = new AtomicLong();

  private static ClusterUnderTest cluster;

  private final String key = "requests/" + KEYS.incrementAndGet();

  @BeforeAll
  static void start() {
    cluster = ClusterUnderTest.shared();
  }

  @Test
  void a_repeated_lock_has_one_effect_and_says_what_is_true_now() {
    LockRequest request = Asked.waiting(key, "anna").build();
    LockResponse first = cluster.node(0).lock(request);
    LockResponse again = cluster.node(1).lock(request);
    assertFalse(first.getRepeated());
    assertTrue(again.getAcquired() && again.getRepeated() && again.getHeldNow());
    assertEquals(first.getFencingToken(), again.getFencingToken());
    assertEquals(1, again.getCount());
    cluster.node(2).unlock(Asked.unlock(key, first.getFencingToken()));
    LockResponse late = cluster.node(1).lock(request);
    assertTrue(late.getAcquired() && late.getRepeated());
    assertFalse(late.getHeldNow());
    assertEquals(first.getFencingToken(), late.getFencingToken());
    assertFalse(cluster.get(0, key).hasLock());
  }

  @Test
  void a_repeated_release_releases_nobody_else() {
    long token = hold("anna").getFencingToken();
    UnlockRequest request =
        Asked.unlock(key, token).toBuilder().setRequestId("release").setClientId("c").build();
    assertFalse(cluster.node(0).unlock(request).getRepeated());
    hold("bert");
    UnlockResponse again = cluster.node(1).unlock(request);
    assertTrue(again.getReleased() && again.getRepeated());
    assertEquals("bert", cluster.get(2, key).getLock().getHolders(0).getHolderId());
  }

  @Test
  void a_repeated_reentry_counts_once() {
    hold("anna");
    LockRequest reentry = Asked.lock(key, "anna").setReenter(true).setRequestId("again").build();
    assertEquals(2, cluster.node(0).lock(reentry).getCount());
    LockResponse repeated = cluster.node(1).lock(reentry);
    assertTrue(repeated.getRepeated());
    assertEquals(2, repeated.getCount());
  }

  @Test
  void a_wait_that_timed_out_stays_so() {
    long token = hold("anna").getFencingToken();
    LockRequest request = Asked.waiting(key, "bert").setTimeoutMs(100).build();
    assertEquals(Reason.REASON_WAIT_TIMED_OUT, cluster.node(0).lock(request).getReason());
    cluster.node(0).unlock(Asked.unlock(key, token));
    LockResponse again = cluster.node(1).lock(request);
    assertTrue(again.getRepeated() && !again.getAcquired());
    assertEquals(Reason.REASON_WAIT_TIMED_OUT, again.getReason());
    assertFalse(cluster.get(0, key).hasLock());
  }

  @Test
  void the_same_id_with_another_content_is_refused() {
    LockRequest request = Asked.waiting(key, "anna").build();
    LockResponse held = cluster.node(0).lock(request);
    assertReused(request.toBuilder().setHolderId("bert").build());
    assertReused(request.toBuilder().setTtlMs(1_000).build());
    assertReused(request.toBuilder().setReenter(true).build());
    assertReused(
        request.toBuilder().setMetadata(com.google.protobuf.ByteString.copyFromUtf8("m")).build());
    assertTrue(
        cluster.node(1).lock(request.toBuilder().setTimeoutMs(1).build()).getRepeated(),
        "a shorter wait is the same request");
    assertEquals(
        Reason.REASON_REQUEST_ID_REUSED,
        reason(
            () ->
                cluster
                    .node(1)
                    .unlock(
                        Asked.unlock(key, held.getFencingToken()).toBuilder()
                            .setRequestId(request.getRequestId())
                            .build())));
    assertTrue(cluster.get(2, key).hasLock());
  }

  @Test
  void an_id_of_another_key_or_client_is_another_request() {
    LockRequest request = Asked.waiting(key, "anna").build();
    cluster.node(0).lock(request);
    assertFalse(cluster.node(0).lock(request.toBuilder().setKey(key + "+").build()).getRepeated());
    LockResponse other =
        cluster.node(0).lock(request.toBuilder().setClientId("other").setTimeoutMs(0).build());
    assertFalse(other.getAcquired() || other.getRepeated());
  }

  @Test
  void a_retry_that_waits_shorter_is_answered_when_its_wait_ends() {
    hold("anna");
    LockRequest request = Asked.waiting(key, "bert").build();
    var unused = cluster.future(0).lock(request);
    cluster.awaitWaiters(0, key, 1);
    LockResponse shorter = cluster.node(1).lock(request.toBuilder().setTimeoutMs(300).build());
    assertFalse(shorter.getAcquired());
    assertEquals(Reason.REASON_WAIT_TIMED_OUT, shorter.getReason());
  }

  /** The window as a client may lean on it; that it ends is a test of the journal's own. */
  @Test
  @EnabledIfSystemProperty(named = "bounds", matches = "large")
  void an_outcome_is_known_ninety_seconds_later() {
    LockRequest request = Asked.lock(key, "anna").setRequestId("long ago").build();
    LockResponse first = cluster.node(0).lock(request);
    cluster.node(0).unlock(Asked.unlock(key, first.getFencingToken()));
    long until = System.nanoTime() + Duration.ofSeconds(90).toNanos();
    eventually(
        "time has passed", Duration.ofSeconds(100), System::nanoTime, now -> now - until > 0);
    LockResponse again = cluster.node(1).lock(request);
    assertTrue(again.getRepeated() && !again.getHeldNow());
    assertEquals(first.getFencingToken(), again.getFencingToken());
  }

  @Test
  void a_client_with_too_many_ids_is_told_so_and_others_go_on() {
    int refused = 0;
    for (int first = 0; first < 1_200; first += AT_ONCE) {
      refused += refusedIds(first);
    }
    assertEquals(1_200 - 1_024, refused);
    assertFalse(cluster.node(1).lock(Asked.lock(key, "bert").build()).getAcquired());
  }

  private int refusedIds(int first) {
    List<ListenableFuture<LockResponse>> asked = new ArrayList<>();
    for (int i = first; i < first + AT_ONCE; i++) {
      asked.add(
          cluster
              .future(0)
              .lock(
                  Asked.lock(key, "anna")
                      .setReenter(true)
                      .setClientId("busy")
                      .setRequestId("id " + i)
                      .build()));
    }
    int refused = 0;
    for (ListenableFuture<LockResponse> each : asked) {
      try {
        assertTrue(each.get(WITHIN.toSeconds(), TimeUnit.SECONDS).getHeldNow());
      } catch (ExecutionException e) {
        assertEquals(
            Reason.REASON_TOO_MANY_REQUEST_IDS,
            refusal(Objects.requireNonNull(e.getCause())).getReason());
        refused++;
      } catch (InterruptedException | TimeoutException e) {
        throw new AssertionError(e);
      }
    }
    return refused;
  }

  @Test
  void a_waiter_is_cancelled() {
    hold("anna");
    ListenableFuture<LockResponse> waiting =
        cluster.future(1).lock(Asked.waiting(key, "bert").build());
    cluster.awaitWaiters(0, key, 1);
    CancelResponse cancelled = cancel(2, "bert");
    assertTrue(cancelled.getDropped());
    assertFalse(cancelled.getReleased());
    LockResponse told = answer(waiting);
    assertFalse(told.getAcquired());
    assertEquals(Reason.REASON_CANCELLED, told.getReason());
    assertEquals(0, cluster.get(0, key).getWaiterCount());
  }

  @Test
  void a_holder_is_cancelled() {
    LockResponse held = cluster.node(0).lock(Asked.waiting(key, "anna").build());
    CancelResponse cancelled = cancel(1, "anna");
    assertTrue(cancelled.getReleased());
    assertEquals(held.getFencingToken(), cancelled.getFencingToken());
    assertFalse(cluster.get(2, key).hasLock());
    assertFalse(cancel(2, "anna").getReleased(), "there is nothing left");
  }

  @Test
  void a_request_cancelled_before_it_arrives_is_never_granted() {
    CancelResponse cancelled = cancel(0, "anna");
    assertFalse(cancelled.getDropped() || cancelled.getReleased());
    LockResponse late = cluster.node(1).lock(Asked.waiting(key, "anna").build());
    assertFalse(late.getAcquired());
    assertEquals(Reason.REASON_CANCELLED, late.getReason());
    assertFalse(cluster.get(2, key).hasLock());
  }

  @Test
  void a_grant_and_a_waiter_are_renewed_by_their_ids_at_any_node() {
    LockResponse held = cluster.node(0).lock(Asked.waiting(key, "anna").build());
    ListenableFuture<LockResponse> waiting =
        cluster.future(1).lock(Asked.waiting(key, "bert").setTtlMs(5_000).build());
    cluster.awaitWaiters(0, key, 1);
    for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
      RenewResponse holds = renew(node, "anna");
      assertTrue(holds.getHeldNow());
      assertFalse(holds.getQueued());
      assertEquals(held.getFencingToken(), holds.getFencingToken());
      assertEquals(Asked.LONG_TTL_MS, holds.getGrantedTtlMs());
      RenewResponse waits = renew(node, "bert");
      assertTrue(waits.getQueued());
      assertFalse(waits.getHeldNow());
      assertEquals(5_000, waits.getGrantedTtlMs());
      int asked = node;
      assertEquals(Reason.REASON_REQUEST_NOT_FOUND, reason(() -> renew(asked, "carl")));
    }
    cancel(0, "bert");
    answer(waiting);
    assertEquals(Reason.REASON_REQUEST_NOT_FOUND, reason(() -> renew(2, "bert")));
  }

  @Test
  void a_force_shows_its_reason_and_the_next_gets_the_lock() {
    long token = hold("anna").getFencingToken();
    ListenableFuture<LockResponse> waiting =
        cluster.future(1).lock(Asked.waiting(key, "bert").build());
    cluster.awaitWaiters(0, key, 1);
    try (WatchUnderTest watch =
        WatchUnderTest.created(cluster.stream(2), WatchCreate.newBuilder().setKey(key))) {
      ForceUnlockRequest request =
          ForceUnlockRequest.newBuilder()
              .setKey(key)
              .setFencingToken(token)
              .setForceReason("host is gone")
              .setRequestId("force")
              .build();
      ForceUnlockResponse forced = cluster.node(1).forceUnlock(request);
      assertEquals(List.of(token), forced.getFencingTokensList());
      assertTrue(answer(waiting).getHeldNow());
      Event event = watch.awaitEvents(1).get(0);
      assertEquals(Cause.CAUSE_HANDED_OVER, event.getCause());
      assertEquals(Cause.CAUSE_FORCED, event.getEndCause());
      assertEquals("host is gone", event.getForceReason());

      ForceUnlockResponse again = cluster.node(0).forceUnlock(request);
      assertTrue(again.getRepeated());
      assertEquals(List.of(token), again.getFencingTokensList());
      ForceUnlockRequest stale = request.toBuilder().setRequestId("force again").build();
      assertEquals(Reason.REASON_NOT_HOLDER, reason(() -> cluster.node(0).forceUnlock(stale)));

      ForceUnlockRequest any = stale.toBuilder().clearFencingToken().build();
      assertEquals(1, cluster.node(2).forceUnlock(any).getFencingTokensCount());
      Event freed = watch.awaitEvents(2).get(1);
      assertEquals(Event.Type.TYPE_DELETE, freed.getType());
      assertEquals(Cause.CAUSE_FORCED, freed.getCause());
      assertEquals("host is gone", freed.getForceReason());
      assertEquals(
          0,
          cluster
              .node(2)
              .forceUnlock(any.toBuilder().setRequestId("free").build())
              .getFencingTokensCount());
    }
  }

  private void assertReused(LockRequest request) {
    assertEquals(Reason.REASON_REQUEST_ID_REUSED, reason(() -> cluster.node(1).lock(request)));
  }

  private CancelResponse cancel(int node, String holder) {
    return cluster
        .node(node)
        .cancel(CancelRequest.newBuilder().setKey(key).setLockRequestId("of " + holder).build());
  }

  private RenewResponse renew(int node, String holder) {
    return cluster
        .node(node)
        .renew(RenewRequest.newBuilder().setKey(key).setLockRequestId("of " + holder).build());
  }

  private LockResponse hold(String holder) {
    LockResponse held = cluster.node(0).lock(Asked.lock(key, holder).build());
    assertTrue(held.getAcquired());
    return held;
  }
}
