package io.holdfast.grpc.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.id.ShardId;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The share of one address of the request ids that a shard remembers. */
class RequestQuotaTest {

  private static final int OF_SHARD = 2_000;

  private long now = Long.MAX_VALUE - 1; // overflows soon
  private int nodes = 1;
  private final RequestQuota share = new RequestQuota(OF_SHARD, () -> nodes, () -> now);
  private final ClientConnection caller = ClientConnection.unknown();

  @Test
  void an_address_may_use_half_of_each_shard() {
    fill(ShardId.of(1), 1_000);
    Refusal refused = refused(ShardId.of(1));
    assertEquals(Reason.REASON_TOO_MANY_REQUEST_IDS, refused.getReason());
    assertEquals(1_000, refused.getMaximum());
    assertTrue(
        refused.getMessage().contains("holdfast.locks.max-request-ids-per-shard"),
        refused.getMessage());
    fill(ShardId.of(2), 1_000);
    ask(ClientConnection.unknown(), ShardId.of(1), "another address", /* isKnown= */ false);
    ask(caller, ShardId.of(1), "", /* isKnown= */ false);
  }

  @Test
  void an_address_may_use_half_of_a_shard_over_all_nodes() {
    nodes = 4;
    fill(ShardId.of(1), 250);
    assertEquals(250, refused(ShardId.of(1)).getMaximum());
  }

  @Test
  void a_forgotten_request_makes_room() {
    fill(ShardId.of(1), 500);
    pass(Duration.ofSeconds(100));
    fill(ShardId.of(1), 500);
    pass(Duration.ofSeconds(69));
    refused(ShardId.of(1));
    pass(Duration.ofSeconds(1));
    fill(ShardId.of(1), 500);
    refused(ShardId.of(1));
    pass(Duration.ofSeconds(1_000));
    fill(ShardId.of(1), 1_000);
  }

  @Test
  void a_repeated_request_takes_no_room() {
    fill(ShardId.of(1), 999);
    for (int i = 0; i < 10; i++) {
      ask(caller, ShardId.of(1), "again", /* isKnown= */ true);
    }
    fill(ShardId.of(1), 1);
    refused(ShardId.of(1));
  }

  @Test
  void a_repetition_seen_after_forgetting_frees_no_room() {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    var unused = share.run(caller, ShardId.of(1), "slow", known -> known, () -> answer);
    pass(Duration.ofSeconds(200));
    fill(ShardId.of(1), 1_000);
    answer.complete(true);
    refused(ShardId.of(1));
  }

  private void fill(ShardId shard, int requests) {
    for (int i = 0; i < requests; i++) {
      ask(caller, shard, "r", /* isKnown= */ false);
    }
  }

  private void ask(ClientConnection by, ShardId shard, String name, boolean isKnown) {
    var unused =
        share.run(
            by, shard, name, known -> known, () -> CompletableFuture.completedFuture(isKnown));
  }

  private Refusal refused(ShardId shard) {
    return StatusMapping.refusal(
        assertThrows(
            StatusRuntimeException.class, () -> ask(caller, shard, "r", /* isKnown= */ false)));
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }
}
