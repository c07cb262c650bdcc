package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.AdminServiceGrpc;
import io.holdfast.v1.Effect;
import io.holdfast.v1.LeaseGrantRequest;
import io.holdfast.v1.LeaseRevokeRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockServiceGrpc.LockServiceStub;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import io.holdfast.v1.StatusRequest;
import io.holdfast.v1.StatusResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes of 128 MB, and clients that want more than those have room for, each in a way of its
 * own: they are refused, no node ends, and what they leave can be had again. With {@code
 * -Dbounds=large} each way fills all there is; else what goes slowly fills the last of it.
 */
class StateFullProof {

  private static final int HEAP_MB = 128;
  private static final boolean ALL = "large".equals(System.getProperty("bounds"));
  private static final Duration WITHIN = Duration.ofSeconds(ALL ? 240 : 60);
  private static final int OPEN = 2_000;
  private static final ByteString METADATA = ByteString.copyFrom(new byte[8_000]);

  @TempDir private static Path folder;
  private static ClusterUnderTest cluster;
  private static final List<ManagedChannel> operators = new ArrayList<>();
  private static final AtomicLong KEYS = new AtomicLong();

  private record Held(String key, long token) {}

  private final Queue<Held> held = new ConcurrentLinkedQueue<>();
  private final Queue<Long> leases = new ConcurrentLinkedQueue<>();
  private final List<SessionUnderTest> streams = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();
  private LockResponse bystander = LockResponse.getDefaultInstance();

  @BeforeAll
  static void start() {
    cluster = ClusterUnderTest.serving(folder, List.of("-Xmx" + HEAP_MB + "m"));
    for (String endpoint : cluster.adminEndpoints()) {
      operators.add(Grpc.newChannelBuilder(endpoint, InsecureChannelCredentials.create()).build());
    }
  }

  @AfterAll
  static void stop() {
    operators.forEach(ManagedChannel::shutdownNow);
    cluster.close();
  }

  @BeforeEach
  void somebodyElseHoldsALock() {
    bystander = cluster.node(0).lock(Asked.lock("bystander", "b").build());
    assertTrue(bystander.getHeldNow());
  }

  /**
   * Checks that work on what was there goes on while the state is full, and that everything works
   * when there is room again.
   */
  @AfterEach
  void everythingWorksAfterTheRelease() {
    try {
      awaitFull();
      IntStream.range(0, 3).forEach(node -> assertTrue(cluster.isAlive(node), () -> told(node)));
      RenewRequest renewal =
          RenewRequest.newBuilder()
              .setKey("bystander")
              .setFencingToken(bystander.getFencingToken())
              .build();
      assertTrue(cluster.node(1).renew(renewal).getHeldNow(), "who holds a lock can renew it");
      assertFalse(
          cluster.node(2).tryLock(Asked.lock("bystander", "a").build()).getHeldNow(),
          "who asks is told the truth");
    } finally {
      cluster.node(2).unlock(Asked.unlock("bystander", bystander.getFencingToken()));
      release();
    }
    for (int node = 0; node < 3; node++) {
      int asked = node;
      String key = "after/" + KEYS.incrementAndGet();
      LockResponse again =
          eventually(
              "a lock by way of node " + node,
              WITHIN,
              () -> orRefused(() -> cluster.node(asked).lock(Asked.lock(key, "a").build())),
              LockResponse::getHeldNow);
      cluster.node(node).unlock(Asked.unlock(key, again.getFencingToken()));
      assertTrue(cluster.isAlive(node), () -> told(asked));
    }
  }

  private static String told(int node) {
    return "node " + node + " has ended: " + cluster.told(node);
  }

  private interface Call<T> {
    T get();
  }

  private static LockResponse orRefused(Call<LockResponse> call) {
    try {
      return call.get();
    } catch (io.grpc.StatusRuntimeException e) {
      return LockResponse.getDefaultInstance();
    }
  }

  /** Every node says so to its operators. */
  private static void awaitFull() {
    for (int node = 0; node < 3; node++) {
      int asked = node;
      eventually(
          "node " + node + " tells its operator",
          WITHIN,
          () -> status(asked).getProblemsList().toString(),
          problems -> problems.contains("the state is full"));
    }
  }

  private static StatusResponse status(int node) {
    return AdminServiceGrpc.newBlockingStub(operators.get(node))
        .withDeadlineAfter(WITHIN.toSeconds(), TimeUnit.SECONDS)
        .status(StatusRequest.getDefaultInstance());
  }

  private void release() {
    streams.forEach(
        stream -> {
          stream.send(SessionRequest.newBuilder().setClose(true).build());
          stream.ended();
        });
    channels.forEach(ManagedChannel::shutdownNow);
    List<Held> locks = List.copyOf(held);
    Flood.Result unlocked =
        Flood.run(
            locks.size(),
            (node, number) -> {
              Held next = locks.get((int) number);
              return Flood.done(cluster.future(node).unlock(Asked.unlock(next.key, next.token)));
            });
    assertOnlyBusy(unlocked, "who holds a lock can release it");
    Flood.Result revoked =
        Flood.run(
            leases.size(),
            (node, number) ->
                Flood.done(
                    cluster
                        .future(node)
                        .leaseRevoke(
                            LeaseRevokeRequest.newBuilder().setLeaseId(leases.remove()).build())));
    assertOnlyBusy(revoked, "who has a lease can end it");
  }

  /** On a machine that is busy a node may not answer in time. */
  private static void assertOnlyBusy(Flood.Result result, String what) {
    Set<Reason> others = new HashSet<>(result.refused().keySet());
    others.removeAll(
        Set.of(
            Reason.REASON_INDETERMINATE,
            Reason.REASON_NO_MAJORITY,
            Reason.REASON_OVERLOADED,
            Reason.REASON_OWNER_MOVING));
    assertEquals(Set.of(), others, () -> what + ": " + result);
  }

  /** All that were not served were refused for this reason, without effect, and for no other. */
  private static void refused(Flood.Result result) {
    System.out.println(result);
    assertTrue(result.done() > 100, result::toString);
    Map<Reason, Integer> others = new HashMap<>(result.refused());
    assertTrue(others.remove(Reason.REASON_STATE_FULL) > 0, result::toString);
    assertOnlyBusy(new Flood.Result(0, others), "all are refused for one reason");
    Refusal refusal = Asked.refusal(() -> cluster.node(1).lock(Asked.lock("another", "a").build()));
    assertEquals(Reason.REASON_STATE_FULL, refusal.getReason());
    assertEquals(Effect.EFFECT_NONE, refusal.getEffect());
    assertEquals(Status.Code.RESOURCE_EXHAUSTED.value(), refusal.getCode());
  }

  private LockRequest.Builder another(long number) {
    return Asked.lock("full/" + KEYS.incrementAndGet(), "h" + number);
  }

  private Flood.Result locks(LockRequest what) {
    return Flood.untilRefused(
        (node, number) -> {
          LockRequest request = another(number).mergeFrom(what).build();
          return Flood.then(
              cluster.future(node).lock(request),
              answer -> held.add(new Held(request.getKey(), answer.getFencingToken())));
        });
  }

  /** Fills the rest with what is slow to fill, where locks with metadata have left off. */
  private void fillAllButTheLast() {
    if (!ALL) {
      refused(locks(LockRequest.newBuilder().setMetadata(METADATA).build()));
      for (int i = 0; i < 150; i++) {
        Held some = held.remove();
        cluster.node(0).unlock(Asked.unlock(some.key, some.token));
      }
    }
  }

  @Test
  void plain_locks() {
    fillAllButTheLast();
    refused(locks(LockRequest.getDefaultInstance()));
  }

  @Test
  void metadata_of_8_kib() {
    refused(locks(LockRequest.newBuilder().setMetadata(METADATA).build()));
  }

  @Test
  void leases() {
    fillAllButTheLast();
    refused(
        Flood.untilRefused(
            (node, number) ->
                Flood.then(
                    cluster
                        .future(node)
                        .leaseGrant(LeaseGrantRequest.newBuilder().setTtlMs(600_000).build()),
                    answer -> leases.add(answer.getLeaseId()))));
  }

  @Test
  void sessions() {
    fillAllButTheLast();
    refused(Flood.untilRefused((node, number) -> session(cluster.stream(node))));
  }

  /** Opens a session and goes away; the session lives for its ttl. */
  private static CompletableFuture<?> session(LockServiceStub stub) {
    CompletableFuture<SessionResponse> opened = new CompletableFuture<>();
    StreamObserver<SessionRequest> requests =
        stub.session(
            new StreamObserver<>() {
              @Override
              public void onNext(SessionResponse frame) {
                opened.complete(frame);
              }

              @Override
              public void onError(Throwable failure) {
                opened.completeExceptionally(failure);
              }

              @Override
              public void onCompleted() {
                opened.cancel(false);
              }
            });
    requests.onNext(
        SessionRequest.newBuilder()
            .setOpen(SessionOpen.newBuilder().setTtlMs(ALL ? 600_000 : 30_000))
            .build());
    return opened.whenComplete(
        (frame, failure) -> {
          if (failure == null) {
            requests.onError(Status.CANCELLED.asRuntimeException());
          }
        });
  }

  @Test
  void request_ids() {
    fillAllButTheLast();
    String name = "n".repeat(100);
    refused(
        Flood.untilRefused(
            (node, number) -> {
              LockRequest request =
                  another(number).setRequestId(name + number).setClientId(name + number).build();
              return Flood.done(cluster.future(node).lock(request))
                  .thenCompose(
                      answer ->
                          Flood.done(
                              cluster
                                  .future(node)
                                  .unlock(
                                      Asked.unlock(request.getKey(), answer.getFencingToken()))));
            }));
  }

  @Test
  void waiters() {
    fillAllButTheLast();
    for (int node = 0; node < 3; node++) {
      channels.add(cluster.connect(node));
    }
    int asked = 0;
    while (streams.stream().mapToInt(StateFullProof::refusals).sum() < 100) {
      assertTrue(asked < 40 * OPEN, "nobody is refused");
      SessionUnderTest stream =
          SessionUnderTest.opening(
              channels.get(streams.size() % 3), SessionOpen.newBuilder().setTtlMs(600_000).build());
      stream.opened();
      streams.add(stream);
      for (int number = 1; number <= OPEN; number++, asked++) {
        stream.send(SessionUnderTest.lock(number, "queue/" + asked / 300, "h" + number, 300_000));
      }
      eventually(
          "all are answered",
          WITHIN,
          () -> stream.frames().stream().mapToInt(frame -> frame.getAnswersCount()).sum(),
          answers -> answers >= OPEN);
    }
  }

  private static int refusals(SessionUnderTest stream) {
    return (int)
        stream.frames().stream()
            .flatMap(frame -> frame.getAnswersList().stream())
            .filter(answer -> answer.getRefused().getReason() == Reason.REASON_STATE_FULL)
            .count();
  }
}
