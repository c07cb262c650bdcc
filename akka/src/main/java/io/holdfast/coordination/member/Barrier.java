package io.holdfast.coordination.member;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** The way to read what is true now on any node. */
@FunctionalInterface
public interface Barrier {

  /**
   * Completes when this node has applied all that was applied anywhere when this was called: with
   * false if it cannot know that, for want of a majority. It may be asked again.
   */
  CompletionStage<Boolean> caughtUp();

  /** The same, which completes on this executor: whatever follows takes no time of the log's. */
  default Barrier on(Executor executor) {
    return () -> caughtUp().thenApplyAsync(Function.identity(), executor);
  }
}
