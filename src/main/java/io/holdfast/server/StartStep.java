package io.holdfast.server;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A step of a node's start that has a time limit. */
final class StartStep {

  private static final Duration START_WITHIN = Duration.ofSeconds(20);

  private StartStep() {}

  /** As the other, for a step that depends on no other node. */
  static <T> T await(String what, CompletionStage<T> step) throws StartFailure {
    return await(what, step, START_WITHIN, NodeExitCode.INTERNAL);
  }

  /** Waits for a step of the start. Only the starting thread ever waits. */
  static <T> T await(String what, CompletionStage<T> step, Duration within, NodeExitCode otherwise)
      throws StartFailure {
    try {
      return step.toCompletableFuture()
          .copy()
          .orTimeout(within.toMillis(), TimeUnit.MILLISECONDS)
          .join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof TimeoutException) {
        throw new StartFailure(
            otherwise, what + " did not come up within " + within.toSeconds() + " s");
      }
      throw StartFailure.of(e);
    }
  }
}
