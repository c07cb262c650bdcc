package holdfast.coordination;

import java.util.concurrent.CompletionStage;

/** The way to read what is true now on any node. */
@FunctionalInterface
public interface Barrier {

  /**
   * Completes when this node has applied all that was applied anywhere when this was called: with
   * false if it cannot know that, for want of a majority. It may be asked again.
   */
  CompletionStage<Boolean> caughtUp();
}
