package io.holdfast.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.fixtures.FakeNode;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stage that is cancelled while its value is on its way to a callback thread. */
@Timeout(30)
final class HandedOverTest {

  private final BlockingQueue<Runnable> callbacks = new LinkedBlockingQueue<>();
  private final FakeNode node = new FakeNode();
  private final HoldfastClient client =
      HoldfastClient.builder().endpoint(node.endpoint()).callbacks(callbacks::add).connect();

  @AfterEach
  void close() {
    client.close();
    node.close();
  }

  private void isGivenBack(Function<HoldfastClient, CompletionStage<?>> taking) throws Exception {
    var stage = taking.apply(client).toCompletableFuture();
    Runnable handing = callbacks.poll(20, TimeUnit.SECONDS);
    assertTrue(handing != null && node.isHeld("k"), "it is granted");
    stage.cancel(/* mayInterruptIfRunning= */ false);
    handing.run();
    long endsAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (node.isHeld("k")) {
      assertTrue(endsAt - System.nanoTime() > 0, () -> "it is held: " + node.asked);
      Thread.onSpinWait();
    }
  }

  @Test
  void a_grant_is_given_back() throws Exception {
    isGivenBack(client -> client.lock("k").acquireAsync());
  }

  @Test
  void a_grant_of_a_try_is_given_back() throws Exception {
    isGivenBack(client -> client.lock("k").tryAcquireAsync());
  }

  @Test
  void a_lock_that_was_taken_is_given_back() throws Exception {
    isGivenBack(client -> client.takeAsync("k", Duration.ofHours(1)));
  }
}
