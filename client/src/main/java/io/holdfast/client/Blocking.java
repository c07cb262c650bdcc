package io.holdfast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Waits for a stage and unwraps its failure: the blocking half of the API. */
final class Blocking {

  private Blocking() {}

  /** Waits without regard to interrupts, for stages that complete within a bound. */
  static <T> T join(CompletableFuture<T> stage) {
    try {
      return stage.join();
    } catch (CompletionException e) {
      throw failure(e);
    }
  }

  /** Waits. An interrupt cancels the stage, unless its value is there: a value must not be lost. */
  static <T> T get(CompletableFuture<T> stage) throws InterruptedException {
    try {
      return stage.get();
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      if (!stage.cancel(/* mayInterruptIfRunning= */ false) && !stage.isCompletedExceptionally()) {
        Thread.currentThread().interrupt(); // for the next wait: this one is over
        return stage.join();
      }
      throw e;
    }
  }

  private static RuntimeException failure(Exception wrapper) {
    return wrapper.getCause() instanceof HoldfastException known
        ? known
        : new IllegalStateException("a fault in the client", wrapper);
  }
}
