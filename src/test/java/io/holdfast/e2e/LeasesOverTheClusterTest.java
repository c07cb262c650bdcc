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
import io.grpc.StatusRuntimeException;
import io.holdfast.v1.Cause;
import io.holdfast.v1.Event;
import io.holdfast.v1.LeaseGrantRequest;
import io.holdfast.v1.LeaseGrantResponse;
import io.holdfast.v1.LeaseKeepAliveResponse;
import io.holdfast.v1.LeaseRecord;
import io.holdfast.v1.LeaseRevokeRequest;
import io.holdfast.v1.LeaseRevokeResponse;
import io.holdfast.v1.LeaseTimeToLiveRequest;
import io.holdfast.v1.LeaseTimeToLiveResponse;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Reason;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.RenewResponse;
import io.holdfast.v1.WatchCreate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Shared leases by way of any node of three: what hangs on one lives and ends with it. */
class LeasesOverTheClusterTest {

  private static final AtomicLong KEYS = new AtomicLong();
  private static final long LONG_TTL_MS = 600_000;

  private static ClusterUnderTest cluster;

  private final String key = "leases/" + KEYS.incrementAndGet();

  @BeforeAll
  static void start() {
    cluster = ClusterUnderTest.shared();
  }

  @Test
  void a_lease_is_granted_and_known_at_every_node() {
    LeaseGrantResponse lease = grant(LONG_TTL_MS);
    assertTrue(lease.getLeaseId() > 0 && lease.getIncarnation() > 0);
    assertEquals(LONG_TTL_MS, lease.getGrantedTtlMs());
    assertEquals(lease.getHeader().getRevision(), lease.getIncarnation());
    for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
      LeaseRecord record = timeToLive(node, lease.getLeaseId(), 0).getLease();
      assertEquals(lease.getIncarnation(), record.getIncarnation());
      assertEquals(LONG_TTL_MS, record.getGrantedTtlMs());
      assertFalse(record.getSession());
    }
  }

  @Test
  void a_lease_id_has_one_life_and_then_a_new_incarnation() {
    LeaseGrantRequest request =
        LeaseGrantRequest.newBuilder().setTtlMs(LONG_TTL_MS).setLeaseId(4711).build();
    LeaseGrantResponse first = cluster.node(0).leaseGrant(request);
    assertEquals(4711, first.getLeaseId());
    assertEquals(Reason.REASON_LEASE_EXISTS, reason(() -> cluster.node(1).leaseGrant(request)));
    revoke(2, 4711);
    LeaseGrantResponse second = cluster.node(1).leaseGrant(request);
    assertTrue(second.getIncarnation() > first.getIncarnation());
    LeaseRevokeRequest old =
        LeaseRevokeRequest.newBuilder()
            .setLeaseId(4711)
            .setIncarnation(first.getIncarnation())
            .build();
    assertEquals(Reason.REASON_LEASE_NOT_FOUND, reason(() -> cluster.node(0).leaseRevoke(old)));
    assertEquals(
        Reason.REASON_LEASE_NOT_FOUND,
        reason(
            () ->
                cluster
                    .node(0)
                    .lock(
                        Asked.onLease(key, "anna", 4711)
                            .setLeaseIncarnation(first.getIncarnation())
                            .build())));
    try (KeepAlivesUnderTest keeper = new KeepAlivesUnderTest(cluster.stream(2))) {
      assertFalse(keeper.keepAlive(4711, first.getIncarnation()).getAlive());
      assertTrue(keeper.keepAlive(4711, second.getIncarnation()).getAlive());
    }
  }

  @Test
  void a_repeated_grant_and_a_repeated_revocation_have_one_effect() {
    LeaseGrantRequest request =
        LeaseGrantRequest.newBuilder()
            .setTtlMs(LONG_TTL_MS)
            .setRequestId("grant " + key)
            .setClientId("c")
            .build();
    LeaseGrantResponse first = cluster.node(0).leaseGrant(request);
    LeaseGrantResponse again = cluster.node(1).leaseGrant(request);
    assertTrue(again.getRepeated() && !first.getRepeated());
    assertEquals(first.getLeaseId(), again.getLeaseId());
    assertEquals(first.getIncarnation(), again.getIncarnation());
    assertEquals(
        Reason.REASON_REQUEST_ID_REUSED,
        reason(() -> cluster.node(2).leaseGrant(request.toBuilder().setTtlMs(1_000).build())));
    hold("anna", first.getLeaseId());
    LeaseRevokeRequest revocation =
        LeaseRevokeRequest.newBuilder()
            .setLeaseId(first.getLeaseId())
            .setRequestId("revoke")
            .setClientId("c")
            .build();
    LeaseRevokeResponse revoked = cluster.node(0).leaseRevoke(revocation);
    assertEquals(1, revoked.getReleasedCount());
    assertTrue(cluster.node(1).leaseRevoke(revocation).getRepeated());
    assertEquals(Reason.REASON_LEASE_NOT_FOUND, reason(() -> revoke(2, first.getLeaseId())));
    assertEquals(
        Reason.REASON_LEASE_NOT_FOUND,
        reason(() -> cluster.node(2).leaseGrant(request)),
        "what it was granted has ended, and it is not granted anew");
    assertEquals(Reason.REASON_LEASE_NOT_FOUND, reason(() -> timeToLive(0, first.getLeaseId(), 0)));
  }

  @Test
  void a_revocation_releases_at_once_and_the_next_gets_it() {
    long lease = grant(LONG_TTL_MS).getLeaseId();
    LockResponse held = hold("anna", lease);
    assertEquals(lease, held.getLeaseId());
    assertTrue(held.getLeaseIncarnation() > 0);
    assertEquals(LONG_TTL_MS, held.getGrantedTtlMs());
    ListenableFuture<LockResponse> waiting =
        cluster.future(1).lock(Asked.waiting(key, "bert").build());
    cluster.awaitWaiters(2, key, 1);
    try (WatchUnderTest watch = watch(WatchCreate.newBuilder().setKey(key))) {
      LeaseRevokeResponse revoked = revoke(2, lease);
      assertEquals(1, revoked.getReleasedCount());
      assertTrue(answer(waiting).getHeldNow());
      List<Event> events = watch.awaitEvents(2);
      assertEquals(Event.Type.TYPE_DELETE, events.get(0).getType());
      assertEquals(Cause.CAUSE_REVOKED, events.get(0).getCause());
      assertEquals(revoked.getHeader().getRevision(), events.get(0).getLock().getModRevision());
      assertEquals(Cause.CAUSE_HANDED_OVER, events.get(1).getCause());
      assertEquals("bert", events.get(1).getLock().getHolders(0).getHolderId());
    }
    assertEquals(
        Reason.REASON_NOT_HOLDER,
        reason(() -> cluster.node(0).unlock(Asked.unlock(key, held.getFencingToken()))));
  }

  @Test
  void a_streams_thousand_locks_end_with_it_at_one_revision() {
    int locks = 1_000;
    long ttl = 4_000;
    LeaseGrantResponse lease = grant(ttl);
    try (WatchUnderTest watch = watch(WatchCreate.newBuilder().setPrefix(key + "/"))) {
      try (KeepAlivesUnderTest keeper = new KeepAlivesUnderTest(cluster.stream(1))) {
        keeper.keepAliveEvery(Duration.ofMillis(ttl / 5), lease.getLeaseId());
        long begin = System.nanoTime();
        List<ListenableFuture<LockResponse>> asked = new ArrayList<>();
        for (int i = 0; i < locks; i++) {
          asked.add(
              cluster
                  .future(i % ClusterUnderTest.SIZE)
                  .tryLock(Asked.onLease(key + "/" + i, "anna", lease.getLeaseId()).build()));
          if (i % 100 == 99) {
            asked.forEach(future -> assertTrue(answer(future).getAcquired()));
          }
        }
        System.out.println(
            "%d locks on one lease took %d ms"
                .formatted(locks, Duration.ofNanos(System.nanoTime() - begin).toMillis()));
        long until = System.nanoTime() + Duration.ofMillis(ttl + 500).toNanos();
        eventually("more than the ttl passes", WITHIN, System::nanoTime, now -> now - until > 0);
        LeaseKeepAliveResponse kept = keeper.keepAlive(lease.getLeaseId(), 0);
        assertTrue(kept.getAlive());
        assertEquals(ttl, kept.getGrantedTtlMs());
        assertEquals(lease.getIncarnation(), kept.getIncarnation());
        LeaseTimeToLiveResponse told = timeToLive(2, lease.getLeaseId(), 1_000);
        assertEquals(locks, told.getLease().getKeyCount());
        assertEquals(locks, told.getLease().getKeysCount());
      }
      List<Event> events = watch.awaitEvents(2 * locks);
      assertEquals(2 * locks, events.size());
      List<Event> ends = events.subList(locks, 2 * locks);
      assertTrue(
          ends.stream()
              .allMatch(
                  event ->
                      event.getType() == Event.Type.TYPE_DELETE
                          && event.getCause() == Cause.CAUSE_EXPIRED));
      assertEquals(
          1, ends.stream().map(event -> event.getLock().getModRevision()).distinct().count());
      assertEquals(locks, ends.stream().map(event -> event.getLock().getKey()).distinct().count());
    }
    try (KeepAlivesUnderTest keeper = new KeepAlivesUnderTest(cluster.stream(2))) {
      LeaseKeepAliveResponse dead = keeper.keepAlive(lease.getLeaseId(), 0);
      assertFalse(dead.getAlive());
      assertEquals(0, dead.getGrantedTtlMs());
    }
  }

  @Test
  void two_threads_with_one_lease_exclude_each_other() {
    long lease = grant(LONG_TTL_MS).getLeaseId();
    hold("thread 1", lease);
    LockResponse other = cluster.node(1).tryLock(Asked.onLease(key, "thread 2", lease).build());
    assertFalse(other.getAcquired());
    assertEquals("thread 1", other.getHolder().getHolderId());
    assertEquals(lease, other.getHolder().getLeaseId());
  }

  @Test
  void a_grant_on_a_lease_is_renewed_only_by_the_lease() {
    long lease = grant(LONG_TTL_MS).getLeaseId();
    long token = hold("anna", lease).getFencingToken();
    RenewRequest renew = RenewRequest.newBuilder().setKey(key).setFencingToken(token).build();
    RenewResponse confirmed = cluster.node(1).renew(renew);
    assertTrue(confirmed.getHeldNow());
    assertEquals(0, confirmed.getGrantedTtlMs());
    revoke(0, lease);
    // The owner of the key may hear of it a moment later than the one who asked.
    eventually("it has ended", WITHIN, () -> isHeld(renew), isHeld -> !isHeld);
    assertEquals(Reason.REASON_NOT_HOLDER, reason(() -> cluster.node(2).renew(renew)));
  }

  @Test
  void a_waiter_on_an_ended_lease_leaves_the_queue() {
    long token = cluster.node(0).lock(Asked.lock(key, "anna").build()).getFencingToken();
    long lease = grant(3_000).getLeaseId();
    ListenableFuture<LockResponse> first =
        cluster
            .future(1)
            .lock(Asked.onLease(key, "bert", lease).setTimeoutMs(Asked.LONG_WAIT_MS).build());
    cluster.awaitWaiters(0, key, 1);
    ListenableFuture<LockResponse> second =
        cluster.future(2).lock(Asked.waiting(key, "carl").build());
    LockResponse left = answer(first);
    assertFalse(left.getAcquired());
    assertEquals(Reason.REASON_LEASE_ENDED, left.getReason());
    cluster.awaitWaiters(0, key, 1);
    cluster.node(0).unlock(Asked.unlock(key, token));
    assertTrue(answer(second).getAcquired());
  }

  @Test
  void the_waiter_whose_lease_has_ended_is_not_granted() {
    long token = cluster.node(0).lock(Asked.lock(key, "anna").build()).getFencingToken();
    long lease = grant(LONG_TTL_MS).getLeaseId();
    ListenableFuture<LockResponse> first =
        cluster
            .future(1)
            .lock(Asked.onLease(key, "bert", lease).setTimeoutMs(Asked.LONG_WAIT_MS).build());
    cluster.awaitWaiters(0, key, 1);
    ListenableFuture<LockResponse> second =
        cluster.future(2).lock(Asked.waiting(key, "carl").build());
    cluster.awaitWaiters(0, key, 2);
    revoke(0, lease);
    cluster.node(0).unlock(Asked.unlock(key, token));
    assertEquals(Reason.REASON_LEASE_ENDED, answer(first).getReason());
    assertTrue(answer(second).getAcquired());
  }

  @Test
  void one_broken_connection_ends_no_lock() {
    long lease = grant(LONG_TTL_MS).getLeaseId();
    var channel = cluster.connect(1);
    var stub = io.holdfast.v1.LockServiceGrpc.newBlockingStub(channel);
    long own = stub.lock(Asked.lock(key + "/own", "anna").build()).getFencingToken();
    long shared =
        stub.lock(Asked.onLease(key + "/shared", "anna", lease).build()).getFencingToken();
    KeepAlivesUnderTest keeper =
        new KeepAlivesUnderTest(io.holdfast.v1.LockServiceGrpc.newStub(channel));
    assertTrue(keeper.keepAlive(lease, 0).getAlive());
    channel.shutdownNow();
    keeper.awaitFailure();
    try (KeepAlivesUnderTest next = new KeepAlivesUnderTest(cluster.stream(2))) {
      assertTrue(next.keepAlive(lease, 0).getAlive());
    }
    assertEquals(own, token(key + "/own"));
    assertEquals(shared, token(key + "/shared"));
  }

  @Test
  void a_sign_of_life_of_nothing_ends_the_stream_and_no_lease() {
    long lease = grant(LONG_TTL_MS).getLeaseId();
    KeepAlivesUnderTest keeper = new KeepAlivesUnderTest(cluster.stream(0));
    assertTrue(keeper.keepAlive(lease, 0).getAlive());
    assertFalse(keeper.keepAlive(lease + 1, 0).getAlive(), "unknown is an answer");
    keeper.send(0, 0, 99);
    assertEquals(Reason.REASON_FIELD_REQUIRED, refusal(keeper.awaitFailure()).getReason());
    KeepAlivesUnderTest other = new KeepAlivesUnderTest(cluster.stream(0));
    other.send(-1, 0, 1);
    assertEquals(Reason.REASON_OUT_OF_BOUND, refusal(other.awaitFailure()).getReason());
    assertNotEquals(0, timeToLive(1, lease, 0).getLease().getIncarnation());
  }

  private static boolean isHeld(RenewRequest renew) {
    try {
      return cluster.node(2).renew(renew).getHeldNow();
    } catch (StatusRuntimeException e) {
      return refusal(e).getReason() != Reason.REASON_NOT_HOLDER;
    }
  }

  private long token(String locked) {
    return cluster.get(2, locked).getLock().getHolders(0).getFencingToken();
  }

  private static WatchUnderTest watch(WatchCreate.Builder create) {
    return WatchUnderTest.created(cluster.stream(2), create);
  }

  private LockResponse hold(String holder, long lease) {
    LockResponse held = cluster.node(0).lock(Asked.onLease(key, holder, lease).build());
    assertTrue(held.getAcquired());
    return held;
  }

  private static LeaseGrantResponse grant(long ttlMs) {
    return cluster.node(0).leaseGrant(LeaseGrantRequest.newBuilder().setTtlMs(ttlMs).build());
  }

  private static LeaseRevokeResponse revoke(int node, long lease) {
    return cluster
        .node(node)
        .leaseRevoke(LeaseRevokeRequest.newBuilder().setLeaseId(lease).build());
  }

  private static LeaseTimeToLiveResponse timeToLive(int node, long lease, int keys) {
    return cluster
        .node(node)
        .leaseTimeToLive(
            LeaseTimeToLiveRequest.newBuilder().setLeaseId(lease).setKeyLimit(keys).build());
  }
}
