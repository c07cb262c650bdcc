package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.LockMode;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.UnlockRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two clients and one node, over gRPC: who holds, who waits, and who is told what. */
class FirstLockTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);
  private static final AtomicLong KEYS = new AtomicLong();

  @TempDir private static Path folder;
  private static NodeUnderTest node;
  private static ManagedChannel anna;
  private static ManagedChannel bert;

  private final String key = "orders/" + KEYS.incrementAndGet();

  @BeforeAll
  static void start() {
    node = NodeUnderTest.serving(folder);
    anna = node.connect();
    bert = node.connect();
  }

  @AfterAll
  static void stop() {
    anna.shutdownNow();
    bert.shutdownNow();
    node.close();
  }

  @Test
  void one_holds_and_one_waits_and_gets_it_on_release() throws Exception {
    LockResponse held = tryLock(anna, "anna", 60_000);
    ListenableFuture<LockResponse> waiting = lock(bert, "bert", 60_000);
    awaitWaiters(1);
    assertFalse(waiting.isDone());
    assertTrue(unlock(anna, held.getFencingToken()));
    LockResponse granted = waiting.get(WITHIN.toSeconds(), TimeUnit.SECONDS);
    assertTrue(granted.getAcquired() && granted.getHeldNow() && granted.getWaited());
    assertTrue(granted.getFencingToken() > held.getFencingToken());
    assertEquals("bert", get().getLock().getHolders(0).getHolderId());
  }

  @Test
  void one_holds_and_one_waits_and_gets_it_on_expiry() throws Exception {
    long askedAt = System.nanoTime();
    LockResponse held = tryLock(anna, "anna", 300);
    LockResponse granted = lock(bert, "bert", 60_000).get(WITHIN.toSeconds(), TimeUnit.SECONDS);
    assertTrue(granted.getAcquired());
    assertTrue(granted.getFencingToken() > held.getFencingToken());
    assertEquals(60_000, granted.getGrantedTtlMs());
    // I4 ServerNeverEarly: the server's count began after the question.
    assertTrue(System.nanoTime() - askedAt > Duration.ofMillis(300).toNanos(), "expired early");
    assertEquals(Reason.REASON_NOT_HOLDER, refusal(() -> unlock(anna, held.getFencingToken())));
  }

  @Test
  void a_request_that_does_not_wait_is_told_the_holder() {
    LockResponse held = tryLock(anna, "anna", 60_000);
    LockResponse refused = tryLock(bert, "bert", 60_000);
    assertFalse(refused.getAcquired());
    assertEquals(Reason.REASON_LOCKED, refused.getReason());
    assertEquals("anna", refused.getHolder().getHolderId());
    assertEquals(held.getFencingToken(), refused.getHolder().getFencingToken());
    assertEquals(0, refused.getFencingToken());
  }

  @Test
  void a_wait_that_ends_gives_up_its_place() throws Exception {
    tryLock(anna, "anna", 60_000);
    LockRequest request = request("bert", 60_000).setTimeoutMs(100).build();
    LockResponse refused = LockServiceGrpc.newBlockingStub(bert).lock(request);
    assertFalse(refused.getAcquired());
    assertEquals(Reason.REASON_WAIT_TIMED_OUT, refused.getReason());
    assertEquals(1, refused.getQueuePosition());
    assertEquals(0, get().getWaiterCount());
  }

  @Test
  void a_long_wait_that_ends_is_told_when_it_ends() throws Exception {
    tryLock(anna, "anna", 60_000);
    LockRequest request = request("bert", 60_000).setTimeoutMs(800).build(); // sent again meanwhile
    LockResponse refused =
        LockServiceGrpc.newFutureStub(bert).lock(request).get(5, TimeUnit.SECONDS);
    assertEquals(Reason.REASON_WAIT_TIMED_OUT, refused.getReason());
    assertEquals(1, refused.getQueuePosition());
    assertEquals(0, get().getWaiterCount());
  }

  @Test
  void the_longest_key_is_locked_by_a_request_without_an_id() {
    LockRequest request = request("anna", 60_000).setKey("k".repeat(512)).build();
    LockResponse held = LockServiceGrpc.newBlockingStub(anna).tryLock(request);
    assertTrue(held.getAcquired());
  }

  @Test
  void a_repeated_request_is_the_same_request() {
    LockRequest request = request("anna", 60_000).setRequestId("once").build();
    LockServiceGrpc.LockServiceBlockingStub stub = LockServiceGrpc.newBlockingStub(anna);
    LockResponse first = stub.lock(request);
    LockResponse second = stub.lock(request);
    assertFalse(first.getRepeated());
    assertTrue(second.getRepeated() && second.getHeldNow());
    assertEquals(first.getFencingToken(), second.getFencingToken());
  }

  @Test
  void those_who_wait_are_served_first_come_first() throws Exception {
    long token = tryLock(anna, "anna", 60_000).getFencingToken();
    ListenableFuture<LockResponse> first = lock(bert, "first", 60_000);
    awaitWaiters(1);
    ListenableFuture<LockResponse> second = lock(anna, "second", 60_000);
    awaitWaiters(2);
    assertEquals("second", get().getWaiters(1).getHolderId());
    unlock(anna, token);
    LockResponse next = first.get(WITHIN.toSeconds(), TimeUnit.SECONDS);
    assertFalse(second.isDone());
    unlock(bert, next.getFencingToken());
    assertTrue(second.get(WITHIN.toSeconds(), TimeUnit.SECONDS).getAcquired());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a|b", "a b/c%2F?#[]@:$\"'", "..", "ключ-鍵-🔒", "|", "~"})
  void every_valid_key_can_be_locked(String any) {
    LockRequest request = request("anna", 60_000).setKey(any).build();
    LockResponse response = LockServiceGrpc.newBlockingStub(anna).tryLock(request);
    assertTrue(response.getAcquired());
    assertEquals(any, response.getKey());
  }

  @Test
  void a_free_lock_has_no_record() {
    GetLockResponse free = get();
    assertFalse(free.hasLock());
    assertTrue(free.getHeader().getClusterId() != 0 && free.getHeader().getMemberId() != 0);
  }

  @Test
  void bad_values_are_refused_with_their_field() {
    assertEquals(
        Reason.REASON_KEY_INVALID,
        refusal(
            () ->
                LockServiceGrpc.newBlockingStub(anna)
                    .lock(request("anna", 1_000).setKey("k".repeat(513)).build())));
    assertEquals(Reason.REASON_OUT_OF_BOUND, refusal(() -> tryLock(anna, "anna", 1)));
    assertEquals(
        Reason.REASON_FIELD_NOT_ALLOWED,
        refusal(
            () ->
                LockServiceGrpc.newBlockingStub(anna)
                    .tryLock(request("anna", 1_000).setTimeoutMs(1).build())));
  }

  @Test
  void a_request_that_is_not_served_is_told_so() {
    StatusRuntimeException error =
        assertThrows(
            StatusRuntimeException.class,
            () ->
                LockServiceGrpc.newBlockingStub(anna)
                    .lock(request("anna", 1_000).setMode(LockMode.LOCK_MODE_SHARED).build()));
    assertEquals(Status.Code.UNIMPLEMENTED, error.getStatus().getCode());
  }

  private LockResponse tryLock(ManagedChannel channel, String holder, long ttl) {
    return LockServiceGrpc.newBlockingStub(channel).tryLock(request(holder, ttl).build());
  }

  private ListenableFuture<LockResponse> lock(ManagedChannel channel, String holder, long ttl) {
    return LockServiceGrpc.newFutureStub(channel)
        .lock(request(holder, ttl).setTimeoutMs(60_000).build());
  }

  private boolean unlock(ManagedChannel channel, long token) {
    return LockServiceGrpc.newBlockingStub(channel)
        .unlock(UnlockRequest.newBuilder().setKey(key).setFencingToken(token).build())
        .getReleased();
  }

  private GetLockResponse get() {
    return LockServiceGrpc.newBlockingStub(anna)
        .getLock(GetLockRequest.newBuilder().setKey(key).setWaiterLimit(10).build());
  }

  private void awaitWaiters(int count) {
    eventually("waiters for " + key, WITHIN, this::get, lock -> lock.getWaiterCount() == count);
  }

  private LockRequest.Builder request(String holder, long ttl) {
    return LockRequest.newBuilder().setKey(key).setHolderId(holder).setTtlMs(ttl);
  }

  private static Reason refusal(Runnable call) {
    StatusRuntimeException error = assertThrows(StatusRuntimeException.class, call::run);
    try {
      return Objects.requireNonNull(StatusProto.fromThrowable(error))
          .getDetails(0)
          .unpack(Refusal.class)
          .getReason();
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }
}
