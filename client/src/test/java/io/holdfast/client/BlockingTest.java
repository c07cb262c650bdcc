package io.holdfast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class BlockingTest {

  @Test
  void an_interrupt_gives_the_stage_up() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> Blocking.get(stage));
    assertTrue(stage.isCancelled());
  }

  @Test
  void a_value_that_comes_with_the_interrupt_is_not_lost() throws InterruptedException {
    CompletableFuture<String> stage =
        new CompletableFuture<>() {
          @Override
          public String get() throws InterruptedException {
            complete("a grant");
            throw new InterruptedException();
          }
        };
    assertEquals("a grant", Blocking.get(stage));
    assertTrue(Thread.interrupted());
  }

  @Test
  void a_fault_of_the_client_is_not_taken_for_an_outcome() {
    CompletableFuture<String> stage =
        CompletableFuture.failedFuture(new ArithmeticException("overflow"));
    assertThrows(IllegalStateException.class, () -> Blocking.join(stage));
  }
}
