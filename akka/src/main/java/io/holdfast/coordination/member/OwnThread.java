package io.holdfast.coordination.member;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The one thread on which a node's coordination works: one step after the other, in the order in
 * which they came. Safe for use by many threads.
 */
public interface OwnThread {

  /** Does a step there, behind all that came before. */
  void run(Runnable step);

  /** Does a step there once this time is over. */
  void after(long delayMs, Runnable step);

  /** Repeats a step, with this pause before each, for as long as there is the thread. */
  default void every(long pauseMs, Runnable step) {
    after(
        pauseMs,
        () -> {
          try {
            step.run();
          } finally {
            every(pauseMs, step);
          }
        });
  }

  /** Does a step there, and answers what it came to. */
  default CompletionStage<Boolean> call(Supplier<CompletionStage<Boolean>> step) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    run(
        () -> {
          try {
            var unused = step.get().thenAccept(done::complete);
          } catch (RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    return done;
  }
}
