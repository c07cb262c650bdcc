package io.holdfast.e2e;

import static io.holdfast.e2e.Asked.reason;
import static io.holdfast.e2e.Asked.refusal;
import static io.holdfast.e2e.SessionUnderTest.lock;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.holdfast.v1.Effect;
import io.holdfast.v1.LeaseGrantRequest;
import io.holdfast.v1.LeaseGrantResponse;
import io.holdfast.v1.LeaseRevokeRequest;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.LockServiceGrpc.LockServiceBlockingStub;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each bound of a node that is a setting: one more is refused, without effect. */
class LimitsTest {

  private static final AtomicLong KEYS = new AtomicLong();

  @TempDir private static Path folder;
  private static NodeUnderTest node;

  private final String key = "limits/" + KEYS.incrementAndGet();
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final ManagedChannel channel = connect();

  @BeforeAll
  static void start() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("tight.conf"),
            """
            holdfast.locks {
              max-waiters = 2
              max-leases = 6
              max-keys-per-lease = 3
              max-request-ids-per-client = 16
            }
            holdfast.sessions {
              max-open-operations = 4
              max-open-operations-per-connection = 6
              max-streams = 4
            }
            holdfast.grpc.max-streams-per-connection = 3
            """);
    node = NodeUnderTest.serving(folder, Map.of("HOLDFAST_CONFIG", config.toString()));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @AfterEach
  void disconnect() {
    channels.forEach(ManagedChannel::shutdownNow);
  }

  @Test
  void of_leases() {
    List<Long> leases = new ArrayList<>();
    Refusal refused;
    while (true) {
      try {
        leases.add(lease().getLeaseId());
        assertTrue(leases.size() <= 6);
      } catch (io.grpc.StatusRuntimeException e) {
        refused = refusal(e);
        break;
      }
    }
    assertEquals(Reason.REASON_TOO_MANY_LEASES, refused.getReason());
    assertEquals(Effect.EFFECT_NONE, refused.getEffect());
    SessionUnderTest session = open(channel);
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, session.ended().getCode());
    leases.forEach(this::revoke);
    revoke(lease().getLeaseId());
  }

  @Test
  void of_keys_on_a_lease() {
    long lease = lease().getLeaseId();
    for (int i = 0; i < 3; i++) {
      assertTrue(stub().lock(Asked.onLease(key + "/" + i, "h", lease).build()).getHeldNow());
    }
    Refusal refused = refusal(() -> stub().lock(Asked.onLease(key, "h", lease).build()));
    assertEquals(Reason.REASON_TOO_MANY_KEYS, refused.getReason());
    assertEquals(3, refused.getMaximum());
    assertEquals(Effect.EFFECT_NONE, refused.getEffect());
    assertTrue(stub().lock(Asked.lock(key, "h").build()).getHeldNow(), "others go on");
    revoke(lease);
  }

  @Test
  void of_waiters() {
    stub().lock(Asked.lock(key, "h").build());
    for (int i = 0; i < 2; i++) {
      var unused = LockServiceGrpc.newFutureStub(channel).lock(Asked.waiting(key, "w" + i).build());
    }
    io.holdfast.fixtures.Eventually.eventually(
        "two wait",
        java.time.Duration.ofSeconds(20),
        () ->
            stub()
                .getLock(io.holdfast.v1.GetLockRequest.newBuilder().setKey(key).build())
                .getWaiterCount(),
        count -> count == 2);
    assertEquals(
        Reason.REASON_QUEUE_FULL, reason(() -> stub().lock(Asked.waiting(key, "w2").build())));
  }

  @Test
  void of_request_ids() {
    for (int i = 0; i < 16; i++) {
      assertTrue(stub().lock(named(i)).getHeldNow());
    }
    Refusal refused = refusal(() -> stub().lock(named(16)));
    assertEquals(Reason.REASON_TOO_MANY_REQUEST_IDS, refused.getReason());
    assertEquals(Effect.EFFECT_NONE, refused.getEffect());
    assertEquals(16, refused.getMaximum());
    assertTrue(stub().lock(named(3)).getRepeated(), "what is remembered is answered");
    assertTrue(stub().lock(named(17).toBuilder().clearRequestId().build()).getHeldNow());
  }

  private io.holdfast.v1.LockRequest named(int number) {
    return Asked.lock(key, "h")
        .setClientId("client of " + key)
        .setRequestId("id " + number)
        .setReenter(true)
        .build();
  }

  @Test
  void of_open_operations_of_a_stream_and_of_a_connection() {
    stub().lock(Asked.lock(key, "h").build());
    SessionUnderTest one = open(channel);
    SessionUnderTest other = open(channel);
    one.send(waiting(1), waiting(2), waiting(3), waiting(4), waiting(5));
    assertEquals(Reason.REASON_TOO_MANY_OPEN_OPERATIONS, one.answer(5).getRefused().getReason());
    other.send(waiting(1), waiting(2), waiting(3));
    assertEquals(Reason.REASON_TOO_MANY_OPEN_OPERATIONS, other.answer(3).getRefused().getReason());
    assertEquals(6, other.answer(3).getRefused().getMaximum());
    close(one);
    other.send(waiting(4));
    other.queued(4);
    close(other);
  }

  private io.holdfast.v1.Operation waiting(long number) {
    return lock(number, key + "/" + number + "/" + channels.size(), "h" + number, 0).toBuilder()
        .setLock(
            io.holdfast.v1.LockRequest.newBuilder()
                .setKey(blocked(number))
                .setHolderId("h" + KEYS.incrementAndGet())
                .setTimeoutMs(60_000))
        .build();
  }

  /** A key that somebody holds. */
  private String blocked(long number) {
    String blocked = key + "/blocked/" + number + "/" + KEYS.incrementAndGet();
    stub().lock(Asked.lock(blocked, "h").build());
    return blocked;
  }

  @Test
  void of_streams_of_a_connection_and_of_a_node() {
    List<SessionUnderTest> sessions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      sessions.add(open(channel));
      sessions.get(i).opened();
    }
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, open(channel).ended().getCode());
    ManagedChannel another = connect();
    sessions.add(open(another));
    sessions.get(3).opened();
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, open(another).ended().getCode());
    close(sessions.get(0));
    sessions.set(0, open(channel));
    sessions.get(0).opened();
    sessions.forEach(LimitsTest::close);
  }

  private static void close(SessionUnderTest session) {
    session.send(SessionRequest.newBuilder().setClose(true).build());
    assertEquals(Status.Code.OK, session.ended().getCode());
  }

  private LeaseGrantResponse lease() {
    return stub().leaseGrant(LeaseGrantRequest.newBuilder().setTtlMs(600_000).build());
  }

  private void revoke(long lease) {
    var unused = stub().leaseRevoke(LeaseRevokeRequest.newBuilder().setLeaseId(lease).build());
  }

  private SessionUnderTest open(ManagedChannel by) {
    return SessionUnderTest.opening(by, SessionOpen.newBuilder().setTtlMs(60_000).build());
  }

  private ManagedChannel connect() {
    ManagedChannel made = node.connect();
    channels.add(made);
    return made;
  }

  private LockServiceBlockingStub stub() {
    return LockServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
  }
}
