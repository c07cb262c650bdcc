package io.holdfast.lock;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All that decisions take from outside of the lock.
 *
 * @param tokens gives the token of each grant, greater than all before it; empty if none is to be
 *     had: then what would grant is refused
 * @param revision the newest one that the decisions can know of
 * @param hasEnded whether a lease has ended for sure
 * @param settled what a request came to earlier, if it did and that is still kept
 * @param isForgotten whether a request came to something that is not kept any more
 * @param limits what is bounded beyond this lock
 */
public record Given(
    Supplier<Optional<FencingToken>> tokens,
    long revision,
    Predicate<LeaseLife> hasEnded,
    Function<RequestId, Optional<Settled>> settled,
    Predicate<RequestId> isForgotten,
    Limits limits) {

  /** At most this token; nothing is forgotten, and there is no bound beyond the lock. */
  public Given(
      @Nullable FencingToken token,
      long revision,
      Predicate<LeaseLife> hasEnded,
      Function<RequestId, Optional<Settled>> settled) {
    this(
        () -> Optional.ofNullable(token),
        revision,
        hasEnded,
        settled,
        request -> false,
        Limits.NONE);
  }

  /** Nothing but a token. */
  public static Given token(@Nullable FencingToken token) {
    return new Given(token, 0, lease -> false, request -> Optional.empty());
  }
}
