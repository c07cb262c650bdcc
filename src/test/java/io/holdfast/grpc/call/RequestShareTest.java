package io.holdfast.grpc.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.Caller;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How many remembered requests of a shard one address may have, under however many names. */
class RequestShareTest {

  private static final int OF_SHARD = 2_000;

  private long now = Long.MAX_VALUE - 1; // overflows soon
  private int nodes = 1;
  private final RequestShare share = new RequestShare(OF_SHARD, () -> nodes, () -> now);
  private final Caller caller = Caller.unknown();

  @Test
  void an_address_has_half_of_each_shard() {
    fill(1, 1_000);
    Refusal refused = refused(1);
    assertEquals(Reason.REASON_TOO_MANY_REQUEST_IDS, refused.getReason());
    assertEquals(1_000, refused.getMaximum());
    assertTrue(
        refused.getMessage().contains("holdfast.locks.max-request-ids-per-shard"),
        refused.getMessage());
    fill(2, 1_000);
    ask(Caller.unknown(), 1, "another address", /* isKnown= */ false);
    ask(caller, 1, "", /* isKnown= */ false);
  }

  @Test
  void it_has_half_at_all_nodes_together() {
    nodes = 4;
    fill(1, 250);
    assertEquals(250, refused(1).getMaximum());
  }

  @Test
  void what_is_forgotten_makes_room() {
    fill(1, 500);
    pass(Duration.ofSeconds(100));
    fill(1, 500);
    pass(Duration.ofSeconds(69));
    refused(1);
    pass(Duration.ofSeconds(1));
    fill(1, 500);
    refused(1);
    pass(Duration.ofSeconds(1_000));
    fill(1, 1_000);
  }

  @Test
  void what_was_known_before_takes_no_room() {
    fill(1, 999);
    for (int i = 0; i < 10; i++) {
      ask(caller, 1, "again", /* isKnown= */ true);
    }
    fill(1, 1);
    refused(1);
  }

  @Test
  void what_turns_out_to_be_known_when_all_is_forgotten_gives_nothing_back() {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    var unused = share.run(caller, 1, "slow", known -> known, () -> answer);
    pass(Duration.ofSeconds(200));
    fill(1, 1_000);
    answer.complete(true);
    refused(1);
  }

  private void fill(int shard, int requests) {
    for (int i = 0; i < requests; i++) {
      ask(caller, shard, "r", /* isKnown= */ false);
    }
  }

  private void ask(Caller by, int shard, String name, boolean isKnown) {
    var unused =
        share.run(
            by, shard, name, known -> known, () -> CompletableFuture.completedFuture(isKnown));
  }

  private Refusal refused(int shard) {
    return StatusMapping.refusal(
        assertThrows(
            StatusRuntimeException.class, () -> ask(caller, shard, "r", /* isKnown= */ false)));
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }
}
