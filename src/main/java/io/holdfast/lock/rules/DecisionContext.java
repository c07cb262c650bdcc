package io.holdfast.lock.rules;

import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Waiter;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The input of decisions that comes from outside of the lock.
 *
 * @param tokens supplies the token of each grant, greater than all before it; empty if there is
 *     none, and then nothing is granted
 * @param revision the newest revision that the decisions can reflect
 * @param hasEnded true for a lease that has surely ended
 * @param ended finds the waiters of a queue whose lease or session has ended, in order
 * @param recorded looks up the recorded outcome of a request
 * @param isForgotten true for a request whose outcome was recorded and dropped
 * @param limits the limits beyond this lock
 */
public record DecisionContext(
    Supplier<Optional<FencingToken>> tokens,
    Revision revision,
    Predicate<LeaseLife> hasEnded,
    Function<WaiterQueue, List<Waiter>> ended,
    Function<RequestId, Optional<RecordedOutcome>> recorded,
    Predicate<RequestId> isForgotten,
    Limits limits) {

  /** Creates a context in which each lease of a queue is asked for. */
  public DecisionContext(
      Supplier<Optional<FencingToken>> tokens,
      Revision revision,
      Predicate<LeaseLife> hasEnded,
      Function<RequestId, Optional<RecordedOutcome>> recorded,
      Predicate<RequestId> isForgotten,
      Limits limits) {
    this(
        tokens,
        revision,
        hasEnded,
        queue -> queue.endedWith(hasEnded),
        recorded,
        isForgotten,
        limits);
  }

  /**
   * Creates a context with at most this token, no dropped outcome, and no limit beyond the lock.
   */
  public DecisionContext(
      @Nullable FencingToken token,
      Revision revision,
      Predicate<LeaseLife> hasEnded,
      Function<RequestId, Optional<RecordedOutcome>> recorded) {
    this(
        () -> Optional.ofNullable(token),
        revision,
        hasEnded,
        recorded,
        request -> false,
        Limits.NONE);
  }

  /** Creates a context with a token and nothing else. */
  public static DecisionContext token(@Nullable FencingToken token) {
    return new DecisionContext(token, Revision.NONE, lease -> false, request -> Optional.empty());
  }
}
