package io.holdfast.e2e;

import static io.holdfast.e2e.Asked.reason;
import static io.holdfast.e2e.Asked.refusal;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.reflection.v1alpha.ServerReflectionGrpc;
import io.grpc.reflection.v1alpha.ServerReflectionRequest;
import io.grpc.reflection.v1alpha.ServerReflectionResponse;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.LeaseGrantRequest;
import io.holdfast.v1.LeaseRevokeRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.LockServiceGrpc.LockServiceBlockingStub;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.SessionOpen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how much one address may take of a node and its cluster, through its port. */
class SharesTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);
  private static final AtomicLong KEYS = new AtomicLong();

  @TempDir private static Path folder;
  private static NodeUnderTest node;

  private final String key = "shares/" + KEYS.incrementAndGet();
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final ManagedChannel channel = connect();
  private final ManagedChannel reader = connect();

  @BeforeAll
  static void start() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("shares.conf"),
            """
            holdfast.locks {
              shards = 1
              max-leases = 140
              max-request-ids-per-shard = 1024
            }
            holdfast.grpc {
              max-commands = 8
              max-streams-per-connection = 3
            }
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
  void of_leases_and_sessions() {
    List<Long> leases = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      leases.add(lease());
    }
    Refusal refused = refusal(this::lease);
    assertEquals(Reason.REASON_TOO_MANY_LEASES, refused.getReason());
    assertEquals(70, refused.getMaximum());
    assertNotEquals(0, refused.getHeader().getClusterId());
    SessionUnderTest session =
        SessionUnderTest.opening(channel, SessionOpen.newBuilder().setTtlMs(60_000).build());
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, session.ended().getCode());
    leases.forEach(this::revoke);
    revoke(eventually("the ends are known", WITHIN, this::leaseOrNone, id -> id != 0));
  }

  private long leaseOrNone() {
    try {
      return lease();
    } catch (StatusRuntimeException e) {
      return 0;
    }
  }

  @Test
  void of_remembered_requests_under_however_many_names() {
    int remembered = 0;
    Refusal refused = null;
    while (refused == null) {
      try {
        LockRequest request =
            Asked.lock(key, "h")
                .setClientId("client " + remembered / 100)
                .setRequestId("id " + remembered)
                .build();
        LockResponse unused = stub().lock(request);
        assertTrue(++remembered <= 512, "more than its share");
      } catch (StatusRuntimeException e) {
        refused = refusal(e);
      }
    }
    assertEquals(Reason.REASON_TOO_MANY_REQUEST_IDS, refused.getReason());
    assertEquals(512, refused.getMaximum());
    assertTrue(stub().lock(Asked.lock(key + "/x", "h").build()).getHeldNow(), "without a name");
  }

  @Test
  void of_calls_that_wait_by_how_often_they_are_asked() {
    stub().lock(Asked.lock(key, "h").build());
    List<Future<LockResponse>> waiting = new ArrayList<>();
    Refusal refused = Refusal.getDefaultInstance();
    while (refused.getMaximum() != 64) { // else there are too many commands, for two seconds
      Future<LockResponse> call = LockServiceGrpc.newFutureStub(channel).lock(hasty());
      waiting.add(call);
      awaitFates(waiting);
      refused = why(call).orElse(refused);
      waiting.removeIf(Future::isDone); // on a slow machine one may die, too
      assertTrue(waiting.size() <= 12, "more than its share");
    }
    assertTrue(waiting.size() >= 6, () -> "less than its share: " + waiting.size());
    assertEquals(Reason.REASON_OVERLOADED, refused.getReason());
    waiting.forEach(call -> call.cancel(true));
    eventually("they leave", WITHIN, this::waitersNow, count -> count == 0);
    Future<LockResponse> next =
        eventually("they make room", WITHIN, this::anotherWaits, call -> call != null);
    next.cancel(true);
  }

  /** All calls wait, or are answered. */
  private void awaitFates(List<Future<LockResponse>> calls) {
    eventually(
        "a fate of all",
        WITHIN,
        () -> calls.stream().filter(call -> !call.isDone()).count() == waitersNow(),
        has -> has);
  }

  /** Why a call was refused, if it was; it says who refuses. */
  private static Optional<Refusal> why(Future<LockResponse> call) {
    try {
      if (call.isDone()) {
        LockResponse unused = call.get();
      }
      return Optional.empty();
    } catch (ExecutionException e) {
      Refusal refused = refusal(Objects.requireNonNull(e.getCause()));
      assertNotEquals(0, refused.getHeader().getClusterId(), "it says who refuses");
      return Optional.of(refused);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void of_commands_under_way() {
    stub().lock(Asked.lock(key, "h").build());
    List<Future<LockResponse>> calls = new ArrayList<>();
    for (int i = 0; i < 10; i++) { // a call that may wait is under way for two seconds
      calls.add(LockServiceGrpc.newFutureStub(channel).lock(hasty()));
    }
    awaitFates(calls);
    List<Refusal> refused = calls.stream().flatMap(call -> why(call).stream()).toList();
    assertTrue(refused.size() >= 3, "four commands of a connection may be under way");
    for (Refusal each : refused) {
      assertEquals(Reason.REASON_OVERLOADED, each.getReason());
      assertTrue(each.getMaximum() == 4 || each.getMaximum() == 8, each.getMessage());
      assertTrue(each.getMessage().contains("holdfast.grpc.max-commands"), each.getMessage());
    }
    calls.forEach(call -> call.cancel(true));
    eventually("they leave", WITHIN, this::waitersNow, count -> count == 0);
  }

  /** One more that waits; null if it is refused. */
  private @Nullable Future<LockResponse> anotherWaits() {
    Future<LockResponse> call = LockServiceGrpc.newFutureStub(channel).lock(hasty());
    eventually("a fate", WITHIN, () -> call.isDone() || waitersNow() == 1, has -> has);
    return call.isDone() ? null : call;
  }

  /** A call that is asked five times a second, so that it lives. */
  private LockRequest hasty() {
    String holder = "w" + KEYS.incrementAndGet();
    return Asked.lock(key, holder).setTtlMs(600).setTimeoutMs(60_000).build();
  }

  /** Asked by another connection: that of the calls may have as many commands as it may. */
  private int waitersNow() {
    return LockServiceGrpc.newBlockingStub(reader)
        .withDeadlineAfter(20, TimeUnit.SECONDS)
        .getLock(GetLockRequest.newBuilder().setKey(key).build())
        .getWaiterCount();
  }

  @Test
  void of_streams_about_the_contract() throws InterruptedException {
    List<Reflection> streams = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      streams.add(new Reflection(channel));
      assertTrue(streams.get(i).ask() instanceof ServerReflectionResponse);
    }
    Object refused = new Reflection(channel).ask();
    assertEquals(
        Reason.REASON_TOO_MANY_STREAMS, refusal((StatusRuntimeException) refused).getReason());
    streams.get(0).requests.onCompleted();
    eventually(
        "one that has ended makes room",
        WITHIN,
        () -> new Reflection(channel).ask(),
        answer -> answer instanceof ServerReflectionResponse);
  }

  /** A stream of questions about the contract, each with an answer. */
  private static final class Reflection implements StreamObserver<ServerReflectionResponse> {
    private final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
    private final StreamObserver<ServerReflectionRequest> requests;

    Reflection(ManagedChannel by) {
      requests = ServerReflectionGrpc.newStub(by).serverReflectionInfo(this);
    }

    /** An answer, or the failure of the stream. */
    Object ask() {
      requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
      try {
        Object answer = answers.poll(WITHIN.toSeconds(), TimeUnit.SECONDS);
        return answer == null ? "no answer" : answer;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void onNext(ServerReflectionResponse response) {
      answers.add(response);
    }

    @Override
    public void onError(Throwable error) {
      answers.add(error);
    }

    @Override
    public void onCompleted() {
      answers.add("completed");
    }
  }

  @Test
  void a_refusal_before_decoding_says_who_refuses() {
    Refusal refused =
        refusal(
            () ->
                stub()
                    .lock(
                        Asked.lock(key, "h")
                            .setMetadata(ByteString.copyFrom(new byte[70_000]))
                            .build()));
    assertEquals(Reason.REASON_MESSAGE_TOO_LARGE, refused.getReason());
    assertNotEquals(0, refused.getHeader().getClusterId());
    assertNotEquals(0, refused.getHeader().getMemberId());
    assertEquals(Reason.REASON_KEY_INVALID, reason(() -> stub().lock(Asked.lock("", "h").build())));
  }

  private long lease() {
    return stub().leaseGrant(LeaseGrantRequest.newBuilder().setTtlMs(600_000).build()).getLeaseId();
  }

  private void revoke(long lease) {
    var unused = stub().leaseRevoke(LeaseRevokeRequest.newBuilder().setLeaseId(lease).build());
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
