package holdfast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import holdfast.v1.Effect;
import holdfast.v1.LockRequest;
import holdfast.v1.LockResponse;
import holdfast.v1.Reason;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class AcquisitionTest {

  private final FakeNode node = new FakeNode();
  private final HoldfastClient client = node.client();
  private final HoldfastLock lock = client.lock("orders/42");

  @AfterEach
  void close() {
    client.close();
    node.close();
  }

  @Test
  void a_lock_that_others_hold_is_not_obtained_at_once() {
    node.onLock = request -> FakeNode.notAcquired(Reason.REASON_LOCKED);
    assertTrue(lock.tryAcquire().isEmpty());
    assertThrows(LockNotAcquired.class, () -> lock.acquire(Duration.ZERO));
    assertEquals(List.of(0L, 0L), timeouts());
  }

  @Test
  void a_wait_is_one_request_and_ends_with_the_patience() {
    node.onLock = this::waitsInVain;
    LockNotAcquired refused =
        assertThrows(LockNotAcquired.class, () -> lock.acquire(Duration.ofSeconds(12)));
    assertEquals("orders/42", refused.key());
    assertEquals(List.of(12_000L), timeouts());
  }

  @Test
  void a_patience_beyond_the_longest_wait_asks_more_than_once() {
    node.onLock = this::waitsInVain;
    assertThrows(LockNotAcquired.class, () -> lock.acquire(Duration.ofMinutes(90)));
    assertEquals(List.of(3_600_000L, 1_800_000L), timeouts());
  }

  @Test
  void a_grant_after_waiting_is_confirmed_and_counts_from_the_confirmation() throws Exception {
    node.onLock =
        request -> {
          node.passMillis(request.getTimeoutMs() > 0 ? 20_000 : 1_000);
          return FakeNode.granted(request, 7);
        };
    Grant grant = lock.acquire(Duration.ofSeconds(30));
    assertEquals(7, grant.fencingToken());
    assertEquals(Duration.ofMillis(8_800), grant.remaining());
    assertEquals(List.of(30_000L, 0L), timeouts());
    assertEquals(1, node.locks.stream().map(LockRequest::getHolderId).distinct().count());
    assertEquals(2, node.locks.stream().map(LockRequest::getRequestId).distinct().count());
  }

  @Test
  void a_grant_that_ended_before_it_was_confirmed_sends_the_wish_back_in_line() throws Exception {
    node.onLock =
        request ->
            switch (node.locks.size()) {
              case 1, 3 -> FakeNode.granted(request, node.locks.size());
              case 2 -> FakeNode.notAcquired(Reason.REASON_LOCKED);
              default -> FakeNode.granted(request, 3);
            };
    assertEquals(3, lock.acquire(Duration.ofSeconds(30)).fencingToken());
    assertEquals(List.of(30_000L, 0L, 30_000L, 0L), timeouts());
  }

  @Test
  void a_grant_that_cannot_be_confirmed_is_given_back_and_called_indeterminate() throws Exception {
    node.onLock =
        request -> {
          if (request.getTimeoutMs() > 0) {
            return FakeNode.granted(request, 7);
          }
          throw FakeNode.refusal(
              Reason.REASON_LEAVING, Status.Code.UNAVAILABLE, Effect.EFFECT_NONE);
        };
    assertThrows(Indeterminate.class, () -> lock.acquire(Duration.ofSeconds(30)));
    assertNotNull(node.unlocks.poll(10, TimeUnit.SECONDS), "the grant was not released");
  }

  @Test
  void a_grant_that_comes_after_its_deadline_is_released_and_never_called_held() {
    node.onLock =
        request -> {
          node.passMillis(9_800);
          return FakeNode.granted(request, 7);
        };
    assertTrue(lock.tryAcquire().isEmpty());
    assertEquals(7, node.unlocks.remove().getFencingToken());
    LockNotAcquired late =
        assertThrows(LockNotAcquired.class, () -> lock.acquire(Duration.ofSeconds(5)));
    assertEquals(
        "lock [orders/42] was granted under token [7] too late to be surely held, and released",
        late.getMessage());
    assertEquals(1, node.unlocks.size());
  }

  @Test
  void after_a_late_grant_it_asks_again_while_there_is_time() throws Exception {
    node.onLock =
        request -> {
          node.passMillis(node.locks.size() == 2 ? 9_800 : 10); // the confirmation is slow
          return FakeNode.granted(request, node.locks.size());
        };
    assertEquals(4, lock.acquire(Duration.ofSeconds(30)).fencingToken());
    assertEquals(2, node.unlocks.remove().getFencingToken());
  }

  @Test
  void a_grant_that_has_ended_since_is_not_acted_on() {
    node.onLock = request -> FakeNode.granted(request, 7).toBuilder().setHeldNow(false).build();
    assertTrue(lock.tryAcquire().isEmpty());
  }

  @Test
  void an_interrupt_ends_the_wait_and_the_grant_that_comes_after_it_is_released() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    node.onLock =
        request -> {
          await(interrupted);
          return FakeNode.granted(request, 7);
        };
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> lock.acquire(Duration.ofSeconds(4)));
    interrupted.countDown();
    assertNotNull(node.unlocks.poll(10, TimeUnit.SECONDS), "the grant was not released");
  }

  @Test
  void timeouts_out_of_bound_are_refused_before_anything_is_sent() {
    assertThrows(IllegalArgumentException.class, () -> lock.acquire(Duration.ofMillis(-1)));
    assertThrows(IllegalArgumentException.class, () -> lock.acquire(Duration.ofDays(2)));
    assertTrue(node.locks.isEmpty());
  }

  private List<Long> timeouts() {
    return node.locks.stream().map(LockRequest::getTimeoutMs).toList();
  }

  private LockResponse waitsInVain(LockRequest request) {
    node.passMillis(request.getTimeoutMs());
    return FakeNode.notAcquired(Reason.REASON_WAIT_TIMED_OUT);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(10, TimeUnit.SECONDS), "nobody came");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
