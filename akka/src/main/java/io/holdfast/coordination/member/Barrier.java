package io.holdfast.coordination.member;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** The way to read the current state at any node. */
@FunctionalInterface
public interface Barrier {

  /**
   * Completes with true once this node has applied everything that any node had applied at the time
   * of this call; with false if it cannot know that, for lack of a majority. It may be called
   * again.
   */
  CompletionStage<Boolean> caughtUp();

  /**
   * The same barrier, completed on this executor: dependent actions do not delay the log's thread.
   */
  default Barrier on(Executor executor) {
    return () -> caughtUp().thenApplyAsync(Function.identity(), executor);
  }
}
