package io.holdfast.journal;

import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Verdict;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Where histories are kept: appended to under the epoch of their shard, and read as this node has
 * applied them.
 *
 * <p>What may or may not have happened is asked again by the store, under the same turn, until
 * there is a verdict. So a stage takes as long as no majority is there, and an append is applied
 * once or not at all.
 *
 * <p>Safe for use by many threads. Stages complete on a thread that a dependent action must not
 * block.
 */
public interface JournalStore {

  /**
   * Appends, after all that this node has written under this epoch. The stage fails with {@link
   * StoreFull} if too many appends of the shard wait for their verdict.
   *
   * @param append makes the append for its turn; called at most once
   */
  CompletionStage<Verdict> append(int shard, long epoch, Function<AppendId, Append> append);

  /**
   * Has the stages completed by this executor from now on, those of one entry in one task. If it
   * takes no task, the store completes them itself.
   */
  default void answerOn(Executor executor) {}

  /** The journal as this node has applied it. */
  JournalVersion version();

  /**
   * The journal as this node has applied it, with all that was committed before this call: the log
   * has said so. The stage fails if it cannot say, as without a majority.
   */
  CompletionStage<JournalVersion> confirmed();

  /**
   * The journal once everything that this node has written so far about this shard has its verdict.
   */
  CompletionStage<JournalVersion> settled(int shard);

  /** As many appends of one shard as may wait for their verdict do so already. */
  final class StoreFull extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoreFull(int shard, int max) {
      super("shard [%d] has [%d] appends without a verdict".formatted(shard, max));
    }
  }
}
