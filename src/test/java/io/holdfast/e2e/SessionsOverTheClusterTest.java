package io.holdfast.e2e;

import static io.holdfast.e2e.ClusterUnderTest.WITHIN;
import static io.holdfast.e2e.SessionUnderTest.lock;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.holdfast.v1.LeaseRevokeRequest;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.Reason;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sessions with a stream to each node of a cluster. */
class SessionsOverTheClusterTest {

  private static final AtomicLong KEYS = new AtomicLong();

  private static ClusterUnderTest cluster;

  private final String key = "sessions/" + KEYS.incrementAndGet();
  private final List<ManagedChannel> channels = new ArrayList<>();

  @BeforeAll
  static void start() {
    cluster = ClusterUnderTest.shared();
  }

  @AfterEach
  void disconnect() {
    channels.forEach(ManagedChannel::shutdownNow);
  }

  @Test
  void to_close_a_session_ends_its_streams_at_all_nodes() {
    List<SessionUnderTest> streams = streams(60_000);
    streams.get(0).send(lock(1, key, "h", 0));
    long token = streams.get(0).answer(1).getLock().getFencingToken();
    streams.get(1).send(SessionRequest.newBuilder().setClose(true).build());
    for (SessionUnderTest stream : streams) {
      assertEquals(Status.Code.OK, stream.ended().getCode());
      assertTrue(stream.frames().get(stream.frames().size() - 1).getClosed());
    }
    assertEquals(0, cluster.get(2, key).getLock().getHoldersCount(), "token " + token);
  }

  @Test
  void to_revoke_the_lease_of_a_session_closes_it() {
    List<SessionUnderTest> streams = streams(60_000);
    cluster
        .node(2)
        .leaseRevoke(
            LeaseRevokeRequest.newBuilder()
                .setLeaseId(streams.get(0).opened().getSessionId())
                .build());
    streams.forEach(stream -> assertEquals(Status.Code.OK, stream.ended().getCode()));
  }

  @Test
  void a_session_that_expires_ends_its_streams_at_all_nodes() {
    for (SessionUnderTest stream : streams(1_000)) {
      assertEquals(Status.Code.NOT_FOUND, stream.ended().getCode());
    }
  }

  @Test
  void a_session_with_10_000_locks_is_closed_and_all_are_free() {
    SessionUnderTest session = stream(0, SessionOpen.newBuilder().setTtlMs(120_000).build());
    int many = 10_000;
    int frame = 1_000;
    for (int from = 0; from < many; from += frame) {
      SessionRequest.Builder operations = SessionRequest.newBuilder().setLowestOpenNumber(from + 1);
      for (int i = from + 1; i <= from + frame; i++) {
        operations.addOperations(lock(i, key + "/" + i, "h", 0));
      }
      session.send(operations.build());
      for (int i = from + 1; i <= from + frame; i += 1) {
        assertTrue(session.answer(i).getLock().getHeldNow());
      }
    }
    long since = System.nanoTime();
    session.send(SessionRequest.newBuilder().setClose(true).build());
    assertEquals(Status.Code.OK, session.ended().getCode());
    System.out.printf(
        "A session with %d locks was closed in %d ms%n",
        many, (System.nanoTime() - since) / 1_000_000);
    eventually("no lock is left", WITHIN, this::held, held -> held == 0);
  }

  /** The number of locks that are left; -1 if the node is too busy to say so. */
  private int held() {
    try {
      return cluster
          .node(1)
          .listLocks(ListLocksRequest.newBuilder().setPrefix(key + "/").setPageSize(1_000).build())
          .getEntriesCount();
    } catch (StatusRuntimeException e) {
      assertEquals(Status.Code.UNAVAILABLE, e.getStatus().getCode());
      return -1;
    }
  }

  @Test
  void numbers_that_are_done_are_not_found_any_more() {
    SessionUnderTest session = stream(0, SessionOpen.newBuilder().setTtlMs(60_000).build());
    session.send(lock(1, key, "h", 0));
    session.answer(1);
    session.send(
        SessionRequest.newBuilder()
            .setLowestOpenNumber(2)
            .addOperations(
                io.holdfast.v1.Operation.newBuilder()
                    .setNumber(2)
                    .setRenew(
                        io.holdfast.v1.RenewRequest.newBuilder().setKey(key).setLockNumber(1)))
            .addOperations(
                io.holdfast.v1.Operation.newBuilder()
                    .setNumber(3)
                    .setCancel(
                        io.holdfast.v1.CancelRequest.newBuilder().setKey(key).setLockNumber(1)))
            .build());
    assertEquals(Reason.REASON_REQUEST_NOT_FOUND, session.answer(2).getRefused().getReason());
    assertEquals(Reason.REASON_OUT_OF_BOUND, session.answer(3).getRefused().getReason());
  }

  /** One session with a stream to each node. */
  private List<SessionUnderTest> streams(long ttlMs) {
    List<SessionUnderTest> streams = new ArrayList<>();
    streams.add(stream(0, SessionOpen.newBuilder().setTtlMs(ttlMs).build()));
    long session = streams.get(0).opened().getSessionId();
    for (int node = 1; node < ClusterUnderTest.SIZE; node++) {
      streams.add(stream(node, SessionOpen.newBuilder().setSessionId(session).build()));
      assertTrue(streams.get(node).opened().getResumed());
    }
    return streams;
  }

  private SessionUnderTest stream(int node, SessionOpen open) {
    ManagedChannel channel = cluster.connect(node);
    channels.add(channel);
    return SessionUnderTest.opening(channel, open);
  }
}
