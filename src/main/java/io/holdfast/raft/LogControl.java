package io.holdfast.raft;

import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.RaftRefusal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The requests of an operator to one member of the log, beyond those that nodes make themselves.
 *
 * <p>Every method may be called from any thread and returns at once. What is given to it runs on
 * the log's own thread, which it must not hold up.
 */
public interface LogControl {

  /** The progress of this member's log. Fails if the member has stopped. */
  CompletionStage<LogProgress> progress();

  /**
   * Changes the members to what the function makes of those of that moment, so that no other change
   * comes between. As {@link ConsensusLog#changeMembers}; fails with what the function throws, and
   * nothing is changed then. If the function changes nothing, nothing is written.
   */
  CompletionStage<Optional<RaftRefusal>> changeMembers(UnaryOperator<List<Member>> how);

  /**
   * Looks at the state machine between two entries, and completes with what was seen there. The
   * function is given the index of the last entry that was applied.
   */
  <T> CompletionStage<T> between(Function<Long, T> look);
}
