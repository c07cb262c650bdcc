package io.holdfast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.fixtures.FakeNode;
import io.holdfast.client.fixtures.ModelLocks;
import io.holdfast.v1.Answer;
import io.holdfast.v1.Effect;
import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Single calls, outside of a session. */
@Timeout(30)
@Tag("slow")
final class ReadsTest {

  private final FakeNode node = new FakeNode();
  private final FakeNode other = new FakeNode();
  private final HoldfastClient client =
      HoldfastClient.builder()
          .endpoint(node.endpoint())
          .endpoint(other.endpoint())
          .answerWithin(Duration.ofSeconds(3))
          .connect();

  @AfterEach
  void close() {
    client.close();
    node.close();
    other.close();
  }

  @Test
  void a_free_lock_has_no_holders_and_a_held_one_has() {
    assertEquals(new LockStatus("k", List.of(), 0), client.get("k"));
    node.hold("k");
    assertEquals(1, client.get("k").holders().get(0).fencingToken());
  }

  @Test
  void a_taken_lock_stays_held_until_unlocked_by_its_token() {
    long token = client.take("k", Duration.ofMinutes(1)).orElseThrow();
    assertTrue(client.take("k", Duration.ofMinutes(1)).isEmpty());
    assertFalse(client.unlock("k", token + 1));
    assertTrue(client.unlock("k", token));
    assertFalse(node.isHeld("k"));
    assertTrue(node.asked.stream().allMatch(asked -> asked.getNumber() == 0), "no session");
  }

  @Test
  void another_node_is_asked_when_one_is_away() {
    node.close();
    assertTrue(client.get("k").isFree());
    assertTrue(client.take("k", Duration.ofMinutes(1)).isPresent());
    assertTrue(other.isHeld("k"));
  }

  @Test
  void without_nodes_reads_and_unsent_requests_are_unavailable() {
    node.close();
    other.close();
    assertThrows(Unavailable.class, () -> client.get("k"));
    assertThrows(Unavailable.class, () -> client.unlock("k", 1));
  }

  @Test
  void a_passing_refusal_after_a_lost_attempt_is_indeterminate() {
    node.script = operation -> unknown();
    other.script = operation -> ModelLocks.refused(Reason.REASON_TOO_MANY_KEYS);
    assertThrows(Indeterminate.class, () -> client.take("k", Duration.ofMinutes(1)), "O9");
  }

  @Test
  void a_refusal_of_the_request_itself_stands_for_all_its_attempts() {
    node.script = operation -> unknown();
    other.script = operation -> ModelLocks.refused(Reason.REASON_KEY_INVALID);
    RequestRefused refused =
        assertThrows(RequestRefused.class, () -> client.take("k", Duration.ofMinutes(1)));
    assertEquals(Reason.REASON_KEY_INVALID, refused.reason());
  }

  private static Answer.Builder unknown() {
    return Answer.newBuilder()
        .setRefused(
            Refusal.newBuilder()
                .setReason(Reason.REASON_INDETERMINATE)
                .setEffect(Effect.EFFECT_UNKNOWN));
  }

  @Test
  void a_refused_take_with_a_copy_left_is_first_cancelled() {
    node.script = operation -> operation.hasLock() ? unknown() : null;
    other.hold("k");
    assertTrue(client.take("k", Duration.ofMinutes(1)).isEmpty());
    Operation asked = other.asked.stream().filter(Operation::hasLock).toList().get(1);
    Operation cancel = cancels().get(0);
    assertEquals(asked.getLock().getRequestId(), cancel.getCancel().getLockRequestId(), "O10");
  }

  @Test
  void a_failed_take_with_a_copy_left_is_cancelled() throws InterruptedException {
    node.script = operation -> operation.hasLock() ? unknown() : null;
    other.script =
        operation -> operation.hasLock() ? ModelLocks.refused(Reason.REASON_MODE_MISMATCH) : null;
    assertThrows(RequestRefused.class, () -> client.take("k", Duration.ofMinutes(1)));
    Operation asked = other.asked.take();
    Operation cancel = other.asked.take();
    assertEquals(asked.getLock().getRequestId(), cancel.getCancel().getLockRequestId(), "O10");
  }

  @Test
  void a_refused_take_that_was_sent_once_is_not_cancelled() {
    node.hold("k");
    assertTrue(client.take("k", Duration.ofMinutes(1)).isEmpty());
    assertEquals(List.of(), cancels());
  }

  @Test
  void a_refused_take_with_a_copy_uncancelled_is_indeterminate() {
    node.script = operation -> unknown();
    other.hold("k");
    other.script =
        operation -> operation.hasCancel() ? ModelLocks.refused(Reason.REASON_NO_MAJORITY) : null;
    assertThrows(Indeterminate.class, () -> client.take("k", Duration.ofMinutes(1)));
  }

  private List<Operation> cancels() {
    return Stream.concat(node.asked.stream(), other.asked.stream())
        .filter(Operation::hasCancel)
        .toList();
  }

  @Test
  void a_second_attempt_is_equal_to_the_first() {
    node.script = operation -> ModelLocks.refused(Reason.REASON_LEAVING);
    client.take("k", Duration.ofMinutes(1)).orElseThrow();
    Operation first = node.asked.remove();
    assertEquals(first, other.asked.remove());
    assertFalse(first.getLock().getRequestId().isEmpty());
  }
}
