package io.holdfast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Completes futures of the client's own threads on the users' executor, where callbacks may take
 * long.
 */
final class HandedOver {

  private HandedOver() {}

  /** Cancelling the returned future cancels the inner one. */
  static <T> CompletableFuture<T> to(Executor callbacks, CompletableFuture<T> inner) {
    return to(callbacks, inner, value -> {});
  }

  /**
   * Hands a future over.
   *
   * @param unwanted takes a value that came after the returned future was cancelled
   */
  static <T> CompletableFuture<T> to(
      Executor callbacks, CompletableFuture<T> inner, Consumer<T> unwanted) {
    CompletableFuture<T> outer = new CompletableFuture<>();
    var unused =
        outer.whenComplete(
            (value, failure) -> {
              if (outer.isCancelled()) {
                inner.cancel(/* mayInterruptIfRunning= */ false);
              }
            });
    unused =
        inner.whenCompleteAsync(
            (value, failure) -> {
              if (failure != null) {
                outer.completeExceptionally(failure);
              } else if (!outer.complete(value)) {
                unwanted.accept(value);
              }
            },
            callbacks);
    return outer;
  }
}
