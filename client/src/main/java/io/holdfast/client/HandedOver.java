package io.holdfast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Gives the end of a future of the client's own threads to those of its users, whose code may take
 * as long as it likes there.
 */
final class HandedOver {

  private HandedOver() {}

  /** Cancelling what is returned cancels the inner one. */
  static <T> CompletableFuture<T> to(Executor callbacks, CompletableFuture<T> inner) {
    return to(callbacks, inner, value -> {});
  }

  /**
   * As the other one.
   *
   * @param unwanted takes a value that came after what is returned was cancelled
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
