package holdfast.lock;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a decision takes from outside of the lock.
 *
 * @param token the token of a grant, should there be one; greater than all before it. Null if none
 *     is to be had: then what would grant is refused
 * @param revision the newest one that the decision can know of
 * @param hasEnded whether a lease has ended for sure
 * @param settled what a request came to earlier, if it did and that is still kept
 * @param isForgotten whether a request came to something that is not kept any more
 * @param limits what is bounded beyond this lock
 */
public record Given(
    @Nullable FencingToken token,
    long revision,
    Predicate<LeaseLife> hasEnded,
    Function<RequestId, Optional<Settled>> settled,
    Predicate<RequestId> isForgotten,
    Limits limits) {

  /** Nothing is forgotten, and there is no bound beyond the lock. */
  public Given(
      @Nullable FencingToken token,
      long revision,
      Predicate<LeaseLife> hasEnded,
      Function<RequestId, Optional<Settled>> settled) {
    this(token, revision, hasEnded, settled, request -> false, Limits.NONE);
  }

  /** Nothing but a token. */
  public static Given token(@Nullable FencingToken token) {
    return new Given(token, 0, lease -> false, request -> Optional.empty());
  }
}
