package io.holdfast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.fixtures.FakeNode;
import io.holdfast.client.fixtures.ModelLocks;
import io.holdfast.v1.Answer;
import io.holdfast.v1.Effect;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests attempts to obtain locks, against a node that answers as it is told. */
@Timeout(30)
@Tag("slow")
final class LockTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final FakeNode node = new FakeNode();
  private final HoldfastClient client =
      HoldfastClient.builder()
          .endpoint(node.endpoint())
          .clientId("test")
          .answerWithin(Duration.ofSeconds(2))
          .connect();
  private final HoldfastLock lock = client.lock("orders/42");

  @AfterEach
  void close() {
    client.close();
    node.close();
  }

  @Test
  void a_free_lock_is_obtained_on_the_lease_of_the_session() throws Exception {
    Grant grant = lock.acquire();
    assertTrue(grant.isSurelyHeld());
    LockRequest request = locks().get(0);
    assertEquals("orders/42", request.getKey());
    assertEquals(LockRequest.LifeCase.LIFE_NOT_SET, request.getLifeCase());
    assertTrue(grant.remaining().compareTo(Duration.ofMillis(9_800)) <= 0);
  }

  @Test
  void a_lock_of_others_is_not_obtained_at_once() {
    node.hold("orders/42");
    assertTrue(lock.tryAcquire().isEmpty());
    LockNotAcquired refused =
        assertThrows(LockNotAcquired.class, () -> lock.acquire(Duration.ZERO));
    assertEquals("orders/42", refused.key());
    assertEquals(
        "lock [orders/42] was not obtained: held by client [somebody] under token [1]",
        refused.getMessage());
  }

  @Test
  void a_wait_ends_with_the_patience_and_leaves_no_waiter() {
    node.hold("orders/42");
    assertThrows(LockNotAcquired.class, () -> lock.acquire(Duration.ofMillis(50)));
    assertEquals(0, node.waiting("orders/42"));
  }

  @Test
  void a_grant_after_waiting_is_confirmed_by_a_renewal() throws Exception {
    node.hold("orders/42");
    CompletableFuture<Grant> waiting = lock.acquireAsync(PATIENCE).toCompletableFuture();
    awaitWaiter();
    node.force("orders/42");
    assertTrue(waiting.get(10, TimeUnit.SECONDS).isSurelyHeld());
    assertTrue(node.asked.stream().anyMatch(Operation::hasRenew));
  }

  @Test
  void a_grant_that_has_ended_since_is_asked_for_anew() throws Exception {
    node.script =
        operation ->
            operation.hasLock() && locks().size() == 1
                ? Answer.newBuilder()
                    .setLock(
                        LockResponse.newBuilder()
                            .setAcquired(true)
                            .setRepeated(true)
                            .setFencingToken(7)
                            .setGrantedTtlMs(10_000))
                : null;
    assertEquals(1, lock.acquire(PATIENCE).fencingToken());
    assertTrue(lock.tryAcquire().isEmpty());
  }

  @Test
  void two_grants_of_one_handle_come_from_two_holders() throws Exception {
    lock.acquire().close();
    lock.acquire().close();
    List<LockRequest> asked = locks();
    assertEquals(2, asked.stream().map(LockRequest::getHolderId).distinct().count());
  }

  @Test
  void a_passing_refusal_is_retried_under_the_same_number() throws Exception {
    node.script =
        operation ->
            operation.hasLock() && locks().size() < 3
                ? ModelLocks.refused(Reason.REASON_OWNER_MOVING)
                : null;
    lock.acquire(PATIENCE).close();
    List<Operation> asked = node.asked.stream().filter(Operation::hasLock).toList();
    assertEquals(3, asked.size());
    assertEquals(1, asked.stream().distinct().count(), "equal in every field");
  }

  @Test
  void a_refusal_has_its_reason() {
    RequestRefused refused = assertThrows(RequestRefused.class, () -> client.lock("").tryAcquire());
    assertEquals(Reason.REASON_KEY_INVALID, refused.reason());
  }

  @Test
  void a_request_without_effect_in_time_is_unavailable() {
    node.script =
        operation -> operation.hasLock() ? ModelLocks.refused(Reason.REASON_NO_MAJORITY) : null;
    assertThrows(Unavailable.class, lock::tryAcquire);
  }

  @Test
  void a_lock_without_an_answer_is_indeterminate_and_given_back() throws Exception {
    Answer.Builder unknown = ModelLocks.refused(Reason.REASON_INDETERMINATE);
    unknown.getRefusedBuilder().setEffect(Effect.EFFECT_UNKNOWN);
    node.script = operation -> operation.hasLock() ? unknown.clone() : null;
    assertThrows(Indeterminate.class, lock::tryAcquire);
    Operation cancel = await(Operation::hasCancel);
    Operation asked = node.asked.stream().filter(Operation::hasLock).findFirst().orElseThrow();
    assertEquals(asked.getNumber(), cancel.getCancel().getLockNumber());
  }

  @Test
  void a_node_that_was_never_reached_is_unavailable() {
    node.close();
    assertThrows(Unavailable.class, lock::tryAcquire);
  }

  @Test
  void an_interrupt_ends_the_wait_and_the_place_in_the_queue() throws Exception {
    node.hold("orders/42");
    Thread waiting = Thread.currentThread();
    Thread other =
        new Thread(
            () -> {
              awaitWaiter();
              waiting.interrupt();
            });
    other.start();
    assertThrows(InterruptedException.class, () -> lock.acquire());
    await(Operation::hasCancel);
    other.join();
    while (node.waiting("orders/42") > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void a_grant_that_comes_after_the_stage_was_cancelled_is_released() {
    CompletableFuture<Grant> stage = lock.acquireAsync().toCompletableFuture();
    stage.cancel(/* mayInterruptIfRunning= */ false);
    while (node.isHeld("orders/42")) {
      Thread.onSpinWait();
    }
    Optional<Grant> next = lock.tryAcquire();
    while (next.isEmpty()) {
      next = lock.tryAcquire();
    }
    assertTrue(next.get().isSurelyHeld());
  }

  @Test
  void timeouts_out_of_bound_are_refused_before_anything_is_sent() {
    assertThrows(IllegalArgumentException.class, () -> lock.acquire(Duration.ofMillis(-1)));
    assertThrows(IllegalArgumentException.class, () -> lock.acquire(Duration.ofDays(2)));
    assertTrue(node.asked.isEmpty());
  }

  @Test
  void a_closed_client_asks_nothing_and_holds_nothing() throws Exception {
    Grant grant = lock.acquire();
    client.close();
    assertFalse(node.isHeld("orders/42"));
    assertEquals(Optional.of(LossReason.CLIENT_CLOSED), grant.lost());
    assertThrows(Unavailable.class, lock::tryAcquire);
  }

  private List<LockRequest> locks() {
    return node.asked.stream()
        .filter(Operation::hasLock)
        .map(Operation::getLock)
        .filter(request -> !request.getHolderId().equals("h"))
        .toList();
  }

  private void awaitWaiter() {
    while (node.waiting("orders/42") == 0) {
      Thread.onSpinWait();
    }
  }

  private Operation await(Predicate<Operation> wanted) {
    long endsAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (System.nanoTime() - endsAt < 0) {
      Optional<Operation> found = node.asked.stream().filter(wanted).findFirst();
      if (found.isPresent()) {
        return found.get();
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("not asked: " + node.asked);
  }
}
