package holdfast.client;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import holdfast.v1.Effect;
import holdfast.v1.Reason;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class GrantTest {

  private final FakeNode node = new FakeNode();
  private final HoldfastClient client = node.client();

  @AfterEach
  void close() {
    client.close();
    node.close();
  }

  @Test
  void it_is_surely_held_until_its_deadline() {
    Grant grant = grant();
    assertEquals("orders/42", grant.key());
    assertEquals(1, grant.fencingToken());
    assertEquals(Duration.ofMillis(9_800), grant.remaining());
    assertDoesNotThrow(grant::ensureHeld);

    node.passMillis(9_800);
    assertFalse(grant.isSurelyHeld());
    NotSurelyHeld late = assertThrows(NotSurelyHeld.class, grant::ensureHeld);
    assertEquals("the grant [1] of lock [orders/42] has passed its deadline", late.getMessage());
  }

  @Test
  void the_time_that_the_answer_took_is_not_counted_as_held() {
    node.onLock =
        request -> {
          node.passMillis(3_000);
          return FakeNode.granted(request, 1);
        };
    assertEquals(Duration.ofMillis(6_800), grant().remaining());
  }

  @Test
  void it_is_released_once_however_often_it_is_closed() {
    Grant grant = grant();
    assertTrue(grant.release());
    assertTrue(grant.release());
    grant.close();
    assertEquals(1, node.unlocks.size());
    assertEquals(1, node.unlocks.remove().getFencingToken());
    assertFalse(grant.isSurelyHeld());
    assertThrows(NotSurelyHeld.class, grant::ensureHeld);
  }

  @Test
  void a_release_that_finds_it_expired_says_so_and_close_does_not_throw() {
    node.onUnlock =
        request -> {
          throw FakeNode.refusal(
              Reason.REASON_NOT_HOLDER, Status.Code.FAILED_PRECONDITION, Effect.EFFECT_NONE);
        };
    Grant grant = grant();
    assertFalse(grant.release());
    assertDoesNotThrow(grant::close);
  }

  @Test
  void a_release_that_failed_is_asked_again_under_the_same_id() {
    node.onUnlock =
        request -> {
          throw FakeNode.refusal(
              Reason.REASON_INDETERMINATE, Status.Code.UNKNOWN, Effect.EFFECT_UNKNOWN);
        };
    Grant grant = grant();
    assertThrows(Indeterminate.class, grant::release);
    assertFalse(grant.isSurelyHeld());
    assertDoesNotThrow(grant::close);
    var attempts = new ArrayList<>(node.unlocks);
    assertEquals(2, attempts.size());
    assertEquals(attempts.get(0), attempts.get(1));
  }

  @Test
  void two_grants_of_one_handle_come_from_two_holders() {
    HoldfastLock lock = client.lock("orders/42");
    lock.tryAcquire();
    lock.tryAcquire();
    List<String> ids =
        node.locks.stream()
            .flatMap(r -> List.of(r.getHolderId(), r.getRequestId()).stream())
            .toList();
    assertEquals(4, ids.stream().distinct().count());
    assertEquals(1, node.locks.stream().map(r -> r.getClientId()).distinct().count());
  }

  private Grant grant() {
    return client.lock("orders/42").tryAcquire().orElseThrow();
  }
}
