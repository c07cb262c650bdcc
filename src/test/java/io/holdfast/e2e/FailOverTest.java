package io.holdfast.e2e;

import static io.holdfast.e2e.Asked.answer;
import static io.holdfast.e2e.ClusterUnderTest.WITHIN;
import static io.holdfast.e2e.ClusterUnderTest.other;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.StatusRuntimeException;
import io.holdfast.v1.CancelRequest;
import io.holdfast.v1.Event;
import io.holdfast.v1.LeaseGrantRequest;
import io.holdfast.v1.LeaseTimeToLiveRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockServiceGrpc.LockServiceBlockingStub;
import io.holdfast.v1.Reason;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.UnlockRequest;
import io.holdfast.v1.UnlockResponse;
import io.holdfast.v1.WatchCreate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node of three is killed while it has locks, waiters, leases and watches. Clients go on at
 * another one, with the same ids, and find everything as it was.
 */
class FailOverTest {

  /** The node that is killed. */
  enum Victim {
    /** The node that runs the shard, and does not lead the log. */
    OWNER,
    /** The node that leads the log, and runs the shard. */
    LEADER
  }

  @TempDir private static Path folder;
  private static ClusterUnderTest cluster;

  private int victim;
  private int near;
  private int far;
  private String key = "";

  @BeforeAll
  static void start() {
    cluster = ClusterUnderTest.serving(folder);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource(Victim.class)
  void everything_is_found_again_at_another_node(Victim who) {
    int leader = cluster.leader();
    victim = who == Victim.LEADER ? leader : other(leader);
    near = other(victim);
    far = other(victim, near);
    key = cluster.keyOwnedBy(victim, who + "/");

    Timed timed = new Timed(cluster.keyOwnedBy(victim, who + "/timed/"));
    long token = cluster.node(victim).lock(lock("anna")).getFencingToken();
    List<ListenableFuture<LockResponse>> lost = waiters();
    Requests requests = new Requests();
    Lease lease = new Lease();
    Watched watched = new Watched();

    timed.has_waited_for_a_while();
    long killedAt = System.nanoTime();
    cluster.kill(victim);
    assertEquals(token, held(near), "I3 NoLostGrant");
    System.out.println(
        "A linearizable read of a lock of a killed %s came after %d ms"
            .formatted(who, Duration.ofNanos(System.nanoTime() - killedAt).toMillis()));
    lost.forEach(future -> assertTrue(eventually("gone", WITHIN, future::isDone, done -> done)));

    List<ListenableFuture<LockResponse>> again = new ArrayList<>();
    for (int i = 0; i < lost.size(); i++) {
      again.add(cluster.future(i % 2 == 0 ? near : far).lock(waiting("w" + i)));
    }
    assertEquals(List.of("w0", "w1", "w2", "w3"), queue(far), "places are kept");
    requests.are_found_again();
    lease.lives_on();
    those_who_wait_are_served_in_their_order(token, again);
    watched.goes_on();
    timed.ends_when_it_would_have_ended();
    if (who == Victim.OWNER) {
      cluster.restart(victim);
      assertTrue(held(victim) > 0, "who comes back knows all");
    }
  }

  /** Four who wait by way of the node that will be killed. */
  private List<ListenableFuture<LockResponse>> waiters() {
    List<ListenableFuture<LockResponse>> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiting.add(cluster.future(victim).lock(waiting("w" + i)));
      cluster.awaitWaiters(near, key, i + 1);
    }
    return waiting;
  }

  private void those_who_wait_are_served_in_their_order(
      long first, List<ListenableFuture<LockResponse>> waiting) {
    long token = first;
    for (int i = 0; i < waiting.size(); i++) {
      long release = token;
      insist(near, node -> node.unlock(unlock(key, release)));
      LockResponse granted = answer(waiting.get(i));
      assertTrue(granted.getAcquired() && granted.getHeldNow(), granted::toString);
      assertTrue(granted.getFencingToken() > token, "I2 TokenMonotonic");
      assertEquals(i + 1L, waiting.stream().filter(ListenableFuture::isDone).count());
      token = granted.getFencingToken();
    }
    assertEquals(token, held(far));
  }

  /** A wait of a limited time, by way of a node that lives on. */
  private final class Timed {
    private static final long WAIT_MS = 10_000;
    private static final long BEFORE_MS = 4_000;

    private final long since;
    private final ListenableFuture<LockResponse> answer;
    private final AtomicLong tookMs = new AtomicLong();

    Timed(String key) {
      cluster.node(victim).lock(Asked.lock(key, "holder").build());
      since = System.nanoTime();
      answer = cluster.future(near).lock(Asked.waiting(key, "timed").setTimeoutMs(WAIT_MS).build());
      answer.addListener(() -> tookMs.set(sinceMs()), Runnable::run);
    }

    private long sinceMs() {
      return Duration.ofNanos(System.nanoTime() - since).toMillis();
    }

    void has_waited_for_a_while() {
      eventually("time", WITHIN, this::sinceMs, ms -> ms > BEFORE_MS);
    }

    void ends_when_it_would_have_ended() {
      LockResponse told = answer(answer);
      assertEquals(Reason.REASON_WAIT_TIMED_OUT, told.getReason());
      long took = eventually("how long it took", WITHIN, tookMs::get, ms -> ms > 0);
      assertTrue(took >= WAIT_MS && took < WAIT_MS + BEFORE_MS - 1_000, () -> took + " ms");
    }
  }

  /** Requests that had been answered, and are sent again. */
  private final class Requests {
    private final LockRequest kept = lock("h").toBuilder().setKey(key + "/kept").build();
    private final LockRequest over = lock("h").toBuilder().setKey(key + "/over").build();
    private final LockRequest late = waiting("h").toBuilder().setKey(key + "/late").build();
    private final LockResponse first = cluster.node(victim).lock(kept);
    private final LockResponse past = cluster.node(victim).lock(over);
    private final UnlockRequest release =
        unlock(over.getKey(), past.getFencingToken()).toBuilder().setRequestId("release").build();

    Requests() {
      assertTrue(cluster.node(victim).unlock(release).getReleased());
      cluster
          .node(victim)
          .cancel(
              CancelRequest.newBuilder()
                  .setKey(late.getKey())
                  .setLockRequestId(late.getRequestId())
                  .setClientId(late.getClientId())
                  .build());
    }

    void are_found_again() {
      LockResponse again = insist(near, node -> node.lock(kept));
      assertTrue(again.getRepeated() && again.getHeldNow(), again::toString);
      assertEquals(first.getFencingToken(), again.getFencingToken());
      assertEquals(1, again.getCount(), "no second effect");
      LockResponse ended = insist(far, node -> node.lock(over));
      assertTrue(ended.getRepeated() && ended.getAcquired() && !ended.getHeldNow());
      assertEquals(past.getFencingToken(), ended.getFencingToken());
      UnlockResponse released = insist(near, node -> node.unlock(release));
      assertTrue(released.getRepeated() && released.getReleased());
      LockResponse barred = insist(far, node -> node.lock(late));
      assertFalse(barred.getAcquired());
      assertEquals(Reason.REASON_CANCELLED, barred.getReason());
      RenewRequest renew =
          RenewRequest.newBuilder()
              .setKey(kept.getKey())
              .setLockRequestId(kept.getRequestId())
              .setClientId("c")
              .build();
      assertEquals(first.getFencingToken(), insist(far, n -> n.renew(renew)).getFencingToken());
    }
  }

  /** A lease with some locks, kept alive by way of the node that will be killed. */
  private final class Lease {
    private final long id =
        cluster
            .node(victim)
            .leaseGrant(LeaseGrantRequest.newBuilder().setTtlMs(20_000).build())
            .getLeaseId();

    Lease() {
      for (int i = 0; i < 10; i++) {
        cluster.node(victim).lock(Asked.onLease(key + "/leased/" + i, "h", id).build());
      }
      assertTrue(new KeepAlivesUnderTest(cluster.stream(victim)).keepAlive(id, 0).getAlive());
    }

    void lives_on() {
      try (KeepAlivesUnderTest keeper = new KeepAlivesUnderTest(cluster.stream(near))) {
        assertTrue(keeper.keepAlive(id, 0).getAlive());
      }
      LeaseTimeToLiveRequest read =
          LeaseTimeToLiveRequest.newBuilder().setLeaseId(id).setKeyLimit(100).build();
      assertEquals(10, insist(far, node -> node.leaseTimeToLive(read)).getLease().getKeysCount());
    }
  }

  /** A watch at the node that will be killed, which goes on at another from its last token. */
  private final class Watched {
    private final WatchUnderTest before =
        WatchUnderTest.created(
            cluster.stream(victim), WatchCreate.newBuilder().setPrefix(key + "/turns/"));
    private final List<Long> revisions = new ArrayList<>();

    Watched() {
      turns(victim);
      before.awaitEvents(revisions.size());
    }

    private void turns(int node) {
      for (int i = 0; i < 10; i++) {
        LockRequest request = lock("h").toBuilder().setKey(key + "/turns/" + i % 3).build();
        LockRequest once = request.toBuilder().setRequestId(node + " at " + i).build();
        LockResponse held = insist(node, n -> n.lock(once));
        revisions.add(held.getHeader().getRevision());
        UnlockRequest release =
            unlock(once.getKey(), held.getFencingToken()).toBuilder()
                .setRequestId(node + " off " + i)
                .build();
        revisions.add(insist(node, n -> n.unlock(release)).getHeader().getRevision());
      }
    }

    void goes_on() {
      assertTrue(before.hasFailed());
      turns(near);
      try (WatchUnderTest after =
          WatchUnderTest.created(
              cluster.stream(far),
              WatchCreate.newBuilder()
                  .setPrefix(key + "/turns/")
                  .setResumeToken(before.resumeToken()))) {
        List<Event> rest = after.awaitEvents(revisions.size() - before.events().size());
        assertEquals(
            revisions,
            Stream.concat(before.events().stream(), rest.stream())
                .map(event -> event.getLock().getModRevision())
                .toList(),
            "I11 WatchComplete");
      }
    }
  }

  private LockRequest lock(String holder) {
    return Asked.lock(key, holder).setRequestId("of " + holder).setClientId("c").build();
  }

  private LockRequest waiting(String holder) {
    return Asked.waiting(key, holder).setClientId("c").build();
  }

  private static UnlockRequest unlock(String key, long token) {
    return Asked.unlock(key, token).toBuilder().setClientId("c").build();
  }

  private List<String> queue(int node) {
    return cluster.awaitWaiters(node, key, 4).getWaitersList().stream()
        .map(waiter -> waiter.getHolderId())
        .toList();
  }

  private long held(int node) {
    return insist(node, n -> n.getLock(get())).getLock().getHolders(0).getFencingToken();
  }

  private io.holdfast.v1.GetLockRequest get() {
    return io.holdfast.v1.GetLockRequest.newBuilder().setKey(key).build();
  }

  /** Asks as a client does: again under the same id, for as long as it is not known what became. */
  private static <T> T insist(int node, Function<LockServiceBlockingStub, T> call) {
    return eventually(
            "node " + node + " answers", WITHIN, () -> once(node, call), Optional::isPresent)
        .orElseThrow();
  }

  private static <T> Optional<T> once(int node, Function<LockServiceBlockingStub, T> call) {
    try {
      return Optional.of(call.apply(cluster.node(node).withDeadlineAfter(8, TimeUnit.SECONDS)));
    } catch (StatusRuntimeException e) {
      return switch (e.getStatus().getCode()) {
        case UNAVAILABLE, UNKNOWN, DEADLINE_EXCEEDED -> Optional.empty();
        default -> throw e;
      };
    }
  }
}
