package io.holdfast.client;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.fixtures.FakeNode;
import io.holdfast.v1.Operation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how a grant is renewed, lost and released. */
@Timeout(30)
@Tag("slow")
final class GrantTest {

  private final FakeNode node = new FakeNode();
  private final AtomicLong skippedNanos = new AtomicLong();
  private final HoldfastClient client =
      HoldfastClient.builder()
          .endpoint(node.endpoint())
          .ttl(Duration.ofSeconds(1))
          .nanoClock(() -> System.nanoTime() + skippedNanos.get())
          .connect();

  @AfterEach
  void close() {
    client.close();
    node.close();
  }

  private Grant grant() throws InterruptedException {
    return client.lock("orders/42").acquire();
  }

  @Test
  void it_is_kept_alive_beyond_its_ttl() throws Exception {
    try (Grant grant = grant()) {
      Deadline first = grant.deadline();
      while (!first.isPassed()) {
        assertTrue(grant.isSurelyHeld());
        Thread.onSpinWait();
      }
      grant.ensureHeld();
      assertEquals(Grant.State.HELD, grant.state());
    }
  }

  @Test
  void one_with_a_ttl_of_its_own_is_renewed_by_its_token() throws Exception {
    try (Grant grant = client.lock("k").withTtl(Duration.ofSeconds(2)).acquire()) {
      Deadline first = grant.deadline();
      while (!first.isPassed()) {
        Thread.onSpinWait();
      }
      grant.ensureHeld();
      assertTrue(node.asked.stream().anyMatch(Operation::hasRenew));
    }
  }

  @Test
  void without_answers_it_is_in_doubt_and_then_lost() throws Exception {
    Grant grant = grant();
    CompletableFuture<LossReason> told = new CompletableFuture<>();
    grant.onLost(told::complete);
    node.isListening = false;
    boolean wasInDoubt = false;
    while (grant.isSurelyHeld()) {
      wasInDoubt |= grant.state() == Grant.State.IN_DOUBT;
      Thread.onSpinWait();
    }
    assertTrue(wasInDoubt);
    assertEquals(LossReason.DEADLINE_PASSED, told.get(10, TimeUnit.SECONDS));
    assertEquals(Optional.of(LossReason.DEADLINE_PASSED), grant.lost());
    assertFalse(grant.release());
  }

  @Test
  void a_caller_learns_from_its_own_clock_that_it_was_stopped() throws Exception {
    Grant grant = grant();
    skippedNanos.addAndGet(Duration.ofSeconds(2).toNanos());
    NotSurelyHeld late = assertThrows(NotSurelyHeld.class, grant::ensureHeld);
    assertEquals(Optional.of(LossReason.DEADLINE_PASSED), late.reason());
    assertEquals("the grant [1] of lock [orders/42] was lost: DEADLINE_PASSED", late.getMessage());
    while (node.isHeld("orders/42")) {
      Thread.onSpinWait(); // nobody uses it: it is given back
    }
  }

  @Test
  void a_grant_that_an_operator_took_is_lost() throws Exception {
    Grant grant = grant();
    CompletableFuture<LossReason> told = new CompletableFuture<>();
    grant.onLost(told::complete);
    node.force("orders/42");
    assertEquals(LossReason.TAKEN_AWAY, told.get(10, TimeUnit.SECONDS));
    assertThrows(NotSurelyHeld.class, grant::ensureHeld);
  }

  @Test
  void an_ended_session_loses_its_grants_and_a_new_one_begins() throws Exception {
    Grant grant = grant();
    CompletableFuture<LossReason> told = new CompletableFuture<>();
    grant.onLost(told::complete);
    node.endSessions();
    assertEquals(LossReason.SESSION_ENDED, told.get(10, TimeUnit.SECONDS));
    try (Grant next = grant()) {
      assertTrue(next.fencingToken() > grant.fencingToken());
    }
  }

  @Test
  void it_is_released_once_however_often_it_is_closed() throws Exception {
    Grant grant = grant();
    assertTrue(grant.release());
    assertTrue(grant.release());
    grant.close();
    assertEquals(1, node.asked.stream().filter(Operation::hasUnlock).count());
    assertEquals(Grant.State.RELEASED, grant.state());
    assertEquals(Optional.empty(), assertThrows(NotSurelyHeld.class, grant::ensureHeld).reason());
    assertEquals(Optional.empty(), grant.lost());
  }

  @Test
  void a_late_release_says_so_and_close_does_not_throw() throws Exception {
    Grant grant = grant();
    node.force("orders/42");
    assertFalse(grant.release());
    assertDoesNotThrow(grant::close);
  }

  @Test
  void entered_again_it_is_released_with_its_last_handle() throws Exception {
    Grant outer = grant();
    Grant inner = outer.reenter();
    assertEquals(outer.fencingToken(), inner.fencingToken());
    outer.close();
    assertFalse(outer.isSurelyHeld());
    assertTrue(inner.isSurelyHeld());
    assertTrue(node.isHeld("orders/42"));
    inner.close();
    assertFalse(node.isHeld("orders/42"));
    assertThrows(NotSurelyHeld.class, inner::reenter);
  }

  @Test
  void a_critical_section_is_interrupted_by_the_loss() throws Exception {
    Grant grant = grant();
    CountDownLatch never = new CountDownLatch(1);
    NotSurelyHeld lost =
        assertThrows(
            NotSurelyHeld.class,
            () ->
                grant.inCriticalSection(
                    held -> {
                      node.force(held.key());
                      return never.await(20, TimeUnit.SECONDS);
                    }));
    assertEquals(Optional.of(LossReason.TAKEN_AWAY), lost.reason());
    assertTrue(lost.getSuppressed()[0] instanceof InterruptedException);
    assertFalse(Thread.interrupted());
  }

  @Test
  void a_critical_section_gives_its_result() throws Exception {
    long token = client.lock("k").inCriticalSection(Duration.ofSeconds(5), Grant::fencingToken);
    assertEquals(1, token);
    assertFalse(node.isHeld("k"));
  }

  @Test
  void a_view_as_a_lock_releases_for_its_own_thread_only() throws Exception {
    LockView view = client.lock("k").asLock();
    assertTrue(view.tryLock());
    assertEquals(1, view.grant().orElseThrow().fencingToken());
    Thread other = new Thread(() -> assertThrows(IllegalMonitorStateException.class, view::unlock));
    other.start();
    other.join();
    assertTrue(node.isHeld("k"));
    view.unlock();
    assertFalse(node.isHeld("k"));
    assertTrue(view.tryLock(1, TimeUnit.SECONDS));
    node.force("k");
    assertThrows(NotSurelyHeld.class, view::unlock);
    assertThrows(UnsupportedOperationException.class, view::newCondition);
  }
}
