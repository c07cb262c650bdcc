package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.RequestRefused;
import io.holdfast.v1.Reason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java client against a real node. */
class ClientTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);

  @TempDir private Path folder;

  @Test
  void those_who_wait_do_not_keep_the_holder_from_its_release() throws Exception {
    try (NodeUnderTest node = NodeUnderTest.serving(folder);
        HoldfastClient client = HoldfastClient.connect(node.grpcAddress())) {
      Grant first = client.lock("k").withTtl(Duration.ofHours(1)).acquire(Duration.ZERO);
      List<CompletableFuture<Grant>> waiting =
          IntStream.range(0, 300)
              .mapToObj(i -> client.lock("k").acquireAsync(Duration.ofMinutes(5)))
              .map(CompletionStage::toCompletableFuture)
              .toList();
      eventually("all wait", WITHIN, () -> client.get("k"), s -> s.waiterCount() == 300);
      assertTrue(first.release());
      CompletableFuture<Object> next =
          CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new));
      assertTrue(next.get(WITHIN.toSeconds(), TimeUnit.SECONDS) instanceof Grant);
      waiting.forEach(wait -> wait.cancel(/* mayInterruptIfRunning= */ false));
    }
  }

  @Test
  void two_clients_take_turns() throws Exception {
    try (NodeUnderTest node = NodeUnderTest.serving(folder);
        HoldfastClient anna = HoldfastClient.connect(node.grpcAddress());
        HoldfastClient bert = HoldfastClient.connect(node.grpcAddress())) {
      Grant first = anna.lock("orders/42").withTtl(Duration.ofHours(1)).acquire(Duration.ZERO);
      assertTrue(first.isSurelyHeld());
      assertTrue(bert.lock("orders/42").tryAcquire().isEmpty());

      CompletableFuture<Grant> waiting =
          bert.lock("orders/42")
              .withTtl(Duration.ofMinutes(1))
              .acquireAsync(Duration.ofMinutes(5))
              .toCompletableFuture();
      eventually("one waits", WITHIN, () -> anna.get("orders/42"), s -> s.waiterCount() == 1);
      assertFalse(waiting.isDone());
      assertTrue(first.release());
      assertFalse(first.isSurelyHeld());

      Grant second = waiting.get(WITHIN.toSeconds(), TimeUnit.SECONDS);
      assertTrue(second.isSurelyHeld() && second.fencingToken() > first.fencingToken());
      assertFalse(anna.unlock("orders/42", first.fencingToken()));
      second.close();
      assertTrue(anna.get("orders/42").isFree());

      RequestRefused refused =
          assertThrows(
              RequestRefused.class,
              () -> anna.lock("k").withTtl(Duration.ofMillis(99)).tryAcquire());
      assertEquals(Reason.REASON_OUT_OF_BOUND, refused.reason());
    }
  }
}
