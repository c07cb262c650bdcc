package io.holdfast.e2e;

import static io.holdfast.e2e.Asked.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import io.holdfast.v1.LeaseGrantRequest;
import io.holdfast.v1.LeaseRevokeRequest;
import io.holdfast.v1.LockResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests for mistakes of other lock services. docs/testing.md says which test guards against what.
 */
class TrapsTest {

  private static ClusterUnderTest cluster;

  @BeforeAll
  static void start() {
    cluster = ClusterUnderTest.shared();
  }

  /** A store by the rule of the contract: it refuses smaller tokens, and takes equal ones. */
  private static final class Store {
    private final Map<String, Long> newest = new HashMap<>();

    boolean write(String key, long token) {
      return newest.merge(key, token, Math::max) == token;
    }
  }

  @Test
  void a_store_takes_an_equal_token_and_refuses_a_smaller_one() {
    Store store = new Store();
    String key = "traps/store";
    LockResponse first = cluster.node(0).lock(Asked.lock(key, "anna").build());
    LockResponse again = cluster.node(1).lock(Asked.lock(key, "anna").setReenter(true).build());
    assertTrue(store.write(key, first.getFencingToken()));
    assertTrue(store.write(key, again.getFencingToken()), "a holder may write many times");
    cluster
        .node(2)
        .unlock(Asked.unlock(key, first.getFencingToken()).toBuilder().setAll(true).build());
    LockResponse next = cluster.node(1).lock(Asked.lock(key, "bert").build());
    assertTrue(store.write(key, next.getFencingToken()));
    assertFalse(store.write(key, first.getFencingToken()), "the late holder");
    assertTrue(store.write(key, next.getFencingToken()));
  }

  @Test
  void a_try_lock_does_not_pass_the_waiters() {
    for (int round = 0; round < 5; round++) {
      String key = "traps/try/" + round;
      long lease =
          cluster
              .node(0)
              .leaseGrant(LeaseGrantRequest.newBuilder().setTtlMs(600_000).build())
              .getLeaseId();
      assertTrue(cluster.node(0).lock(Asked.onLease(key, "anna", lease).build()).getAcquired());
      ListenableFuture<LockResponse> waiting =
          cluster.future(1).lock(Asked.waiting(key, "bert").build());
      cluster.awaitWaiters(1, key, 1);
      // Between the end of the lease and the hand-over the lock is free, and has a waiter.
      cluster.node(2).leaseRevoke(LeaseRevokeRequest.newBuilder().setLeaseId(lease).build());
      List<ListenableFuture<LockResponse>> others = new ArrayList<>();
      for (int node = 0; node < ClusterUnderTest.SIZE; node++) {
        others.add(cluster.future(node).tryLock(Asked.lock(key, "carl " + node).build()));
      }
      others.forEach(other -> assertFalse(answer(other).getAcquired()));
      assertTrue(answer(waiting).getHeldNow());
    }
  }

  @Test
  void a_lock_is_one_key_and_not_what_lies_below_it() {
    for (String key : List.of("traps/a", "traps/a/b", "traps/a/", "traps/A", "traps/a|b")) {
      assertTrue(cluster.node(0).tryLock(Asked.lock(key, "h").build()).getAcquired(), key);
    }
  }

  @Test
  void a_token_rises_by_the_log_at_whichever_node_it_is_drawn() {
    String key = "traps/tokens";
    List<Long> tokens = new ArrayList<>();
    List<Long> revisions = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      // Others draw tokens meanwhile, at nodes that this lock does not run on.
      cluster.node(i % 3).lock(Asked.lock(key + "/" + i, "h").build());
      LockResponse held = cluster.node(i % 3).lock(Asked.lock(key, "h").build());
      tokens.add(held.getFencingToken());
      revisions.add(held.getHeader().getRevision());
      cluster.node((i + 1) % 3).unlock(Asked.unlock(key, held.getFencingToken()));
    }
    assertEquals(tokens.stream().sorted().distinct().toList(), tokens, "I2 TokenMonotonic");
    assertEquals(revisions.stream().sorted().distinct().toList(), revisions);
  }
}
