package holdfast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import holdfast.v1.Effect;
import holdfast.v1.GetLockResponse;
import holdfast.v1.Holder;
import holdfast.v1.LockRecord;
import holdfast.v1.Reason;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class HoldfastClientTest {

  private final FakeNode node = new FakeNode();
  private final HoldfastClient client = node.client();

  @AfterEach
  void close() {
    client.close();
    node.close();
  }

  @Test
  void a_free_lock_has_no_holders() {
    assertEquals(new LockStatus("k", List.of(), 0), client.get("k"));
    assertTrue(client.get("k").isFree());
  }

  @Test
  void a_held_lock_has_holders_and_waiters() {
    Holder holder =
        Holder.newBuilder()
            .setFencingToken(9)
            .setClientId("c")
            .setHolderId("h")
            .setGrantedTtlMs(500)
            .build();
    node.onGet =
        request ->
            GetLockResponse.newBuilder()
                .setLock(LockRecord.newBuilder().addHolders(holder))
                .setWaiterCount(2)
                .build();
    assertEquals(
        new LockStatus("k", List.of(new LockStatus.Holder(9, "c", "h", Duration.ofMillis(500))), 2),
        client.get("k"));
  }

  @Test
  void unlock_by_token_says_whether_it_was_held() {
    assertTrue(client.unlock("k", 9));
    node.onUnlock =
        request -> {
          throw FakeNode.refusal(
              Reason.REASON_NOT_HOLDER, Status.Code.FAILED_PRECONDITION, Effect.EFFECT_NONE);
        };
    assertFalse(client.unlock("k", 9));
  }

  @Test
  void a_refusal_has_its_reason() {
    failLocks(
        FakeNode.refusal(
            Reason.REASON_KEY_INVALID, Status.Code.INVALID_ARGUMENT, Effect.EFFECT_NONE));
    RequestRefused refused = assertThrows(RequestRefused.class, client.lock("")::tryAcquire);
    assertEquals(Reason.REASON_KEY_INVALID, refused.reason());
    assertEquals("refused [REASON_KEY_INVALID]", refused.getMessage());
  }

  @Test
  void a_node_that_certainly_did_nothing_is_unavailable() {
    failLocks(FakeNode.refusal(Reason.REASON_LEAVING, Status.Code.UNAVAILABLE, Effect.EFFECT_NONE));
    assertThrows(Unavailable.class, client.lock("k")::tryAcquire);
  }

  @Test
  void a_request_that_nobody_took_on_in_time_is_unavailable() {
    failLocks(
        FakeNode.refusal(
            Reason.REASON_DEADLINE_EXCEEDED, Status.Code.DEADLINE_EXCEEDED, Effect.EFFECT_NONE));
    assertThrows(Unavailable.class, client.lock("k")::tryAcquire);
  }

  @Test
  void a_refusal_of_unknown_effect_is_indeterminate_whatever_its_code() {
    failLocks(
        FakeNode.refusal(
            Reason.REASON_LEAVING, Status.Code.UNAVAILABLE, Effect.EFFECT_UNSPECIFIED));
    assertThrows(Indeterminate.class, client.lock("k")::tryAcquire);
  }

  @Test
  void an_error_that_carries_no_refusal_is_indeterminate_whatever_its_code() {
    failLocks(Status.UNAVAILABLE.withDescription("a proxy").asRuntimeException());
    assertThrows(Indeterminate.class, client.lock("k")::tryAcquire);
    assertThrows(Indeterminate.class, () -> client.lock("k").acquire(Duration.ofSeconds(1)));
  }

  @Test
  void a_connection_that_breaks_under_a_request_is_indeterminate() {
    node.onLock =
        request -> {
          node.close();
          return FakeNode.granted(request, 1);
        };
    assertThrows(Indeterminate.class, client.lock("k")::tryAcquire);
  }

  @Test
  void a_request_that_never_reached_a_node_is_unavailable() {
    node.close();
    assertThrows(Unavailable.class, client.lock("k")::tryAcquire);
    assertThrows(Unavailable.class, () -> client.unlock("k", 1));
  }

  @Test
  void a_read_without_an_answer_is_unavailable() {
    node.onGet =
        request -> {
          throw Status.INTERNAL.asRuntimeException();
        };
    assertThrows(Unavailable.class, () -> client.get("k"));
  }

  @Test
  void a_closed_client_asks_nothing() {
    client.close();
    assertThrows(Unavailable.class, client.lock("k")::tryAcquire);
    assertTrue(node.locks.isEmpty());
  }

  private void failLocks(StatusRuntimeException with) {
    node.onLock =
        request -> {
          throw with;
        };
  }
}
