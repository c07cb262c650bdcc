package holdfast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Gives the end of a future of the client's own threads to those of its users, whose code may take
 * as long as it likes there.
 */
final class HandedOver {

  private HandedOver() {}

  /** Cancelling what is returned cancels the inner one. */
  static <T> CompletableFuture<T> to(Executor callbacks, CompletableFuture<T> inner) {
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
              } else if (!outer.complete(value) && value instanceof Grant grant) {
                grant.giveBack();
              }
            },
            callbacks);
    return outer;
  }
}
