package io.holdfast.journal;

import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Verdict;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Store of histories. Writers append under the epoch of a shard; readers read the copy of this
 * node.
 *
 * <p>The store resends an append whose outcome is unknown, under the same id, until there is a
 * verdict. So a stage waits as long as there is no majority, and an append is applied once or not
 * at all.
 *
 * <p>Safe for use by many threads. Stages complete on a thread that a dependent action must not
 * block.
 */
public interface JournalStore {

  /**
   * Appends, after all earlier appends of this node under this epoch. The stage fails with {@link
   * StoreFull} if too many appends of the shard wait for their verdict.
   *
   * @param append creates the append for its id; called at most once
   */
  CompletionStage<Verdict> append(ShardId shard, Epoch epoch, Function<AppendId, Append> append);

  /**
   * Makes this executor complete the stages from now on, those of one entry in one task. If it
   * rejects a task, the store completes them itself.
   */
  default void answerOn(Executor executor) {}

  /** The journal as this node has applied it. */
  JournalVersion version();

  /**
   * The journal as this node has applied it, after the log has confirmed that it includes all that
   * was committed before this call. The stage fails if the log cannot confirm that, as without a
   * majority.
   */
  CompletionStage<JournalVersion> confirmed();

  /** The journal once every append that this node has made so far to this shard has its verdict. */
  CompletionStage<JournalVersion> settled(ShardId shard);

  /** The refusal of an append: too many of its shard already wait for their verdict. */
  final class StoreFull extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoreFull(ShardId shard, int max) {
      super("shard [%d] has [%d] appends without a verdict".formatted(shard.value(), max));
    }
  }
}
