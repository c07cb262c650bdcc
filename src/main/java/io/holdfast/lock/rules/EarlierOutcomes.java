package io.holdfast.lock.rules;

import io.holdfast.id.LeaseLife;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Outcome.Manner;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import java.util.Optional;

/**
 * Finds the earlier outcome of a repeated request. A repetition gets its first outcome, and what is
 * true now.
 *
 * @param batch the lock now, and the outcomes recorded by this very batch
 */
record EarlierOutcomes(DecisionContext context, BatchBuilder batch) {

  private LockState state() {
    return batch.state();
  }

  /** Returns the outcome of the request, if it came before. */
  Optional<Outcome> of(LockCommand.Acquire acquire) {
    RequestHeader request = acquire.request();
    int position = state().position(request.id());
    if (position > 0) {
      return Optional.of(
          request.contradicts(state().waiters().get(position - 1).request().content())
              ? reused(request)
              : new Outcome.Waiting(request.id(), position));
    }
    Optional<Holder> holder = holder(request.id());
    if (holder.isPresent()) {
      return Optional.of(
          request.contradicts(holder.get().request().content())
              ? reused(request)
              : granted(request.id(), holder.get().token(), holder.get().life()));
    }
    return recorded(request, RecordedOutcome.class);
  }

  /** Returns the earlier outcome of a request other than an acquire, if it came before. */
  Optional<Outcome> of(RequestHeader request, Class<? extends RecordedOutcome> kind) {
    return state().position(request.id()) > 0 || holder(request.id()).isPresent()
        ? Optional.of(reused(request))
        : recorded(request, kind);
  }

  private Optional<Outcome> recorded(RequestHeader request, Class<? extends RecordedOutcome> kind) {
    Optional<LeaseLife> session = request.id().keptBy().filter(context.hasEnded());
    if (session.isPresent()) { // its outcome is not kept any more
      return Optional.of(new Outcome.Refused(new Refusal.LeaseGone(session.get())));
    } else if (isForgotten(request.id())) { // it may have had its effect
      return Optional.of(new Outcome.Refused(new Refusal.RequestForgotten(request.id())));
    }
    return recorded(request.id())
        .map(
            recorded ->
                kind.isInstance(recorded) && !request.contradicts(recorded.content())
                    ? recorded.match(new Repetition(this, request.id()))
                    : reused(request));
  }

  /** Repeats an earlier grant, with the count that is left of it for this request. */
  private Outcome granted(RequestId request, FencingToken token, Lifetime life) {
    int count =
        recorded(new RequestId.Cancelling(request)).isPresent()
            ? 0
            : state().holder(token).map(Holder::count).orElse(0);
    return new Outcome.Acquired(token, life, count, Manner.REPEATED);
  }

  /** Returns the recorded outcome of a request, if there is one. */
  Optional<RecordedOutcome> recorded(RequestId request) {
    if (!isKnown(request)) {
      return Optional.empty();
    }
    return batch.recorded(request).or(() -> context.recorded().apply(request));
  }

  /** True if its outcome is always recorded. */
  boolean isKept(RequestId request) {
    return request.isRepeatable() && isKnown(request);
  }

  /**
   * True if an outcome of it can be recorded. All outcomes of a session go with the session. And a
   * request may still wait after its session has sent so many others that its record is dropped.
   */
  boolean isKnown(RequestId request) {
    return request.keptBy().filter(context.hasEnded()).isEmpty() && !isForgotten(request);
  }

  private boolean isForgotten(RequestId request) {
    return context.isForgotten().test(request);
  }

  /** Returns the holder, if this request was granted the lock. */
  Optional<Holder> holder(RequestId request) {
    return state().holder().filter(holder -> holder.request().id().equals(request));
  }

  private static Outcome reused(RequestHeader request) {
    return new Outcome.Refused(new Refusal.RequestReused(request.id()));
  }

  private record Repetition(EarlierOutcomes earlier, RequestId request)
      implements RecordedOutcome.Cases<Outcome> {

    @Override
    public Outcome granted(RecordedOutcome.Granted granted) {
      return earlier.granted(request, granted.token(), granted.life());
    }

    @Override
    public Outcome notGranted(RecordedOutcome.NotGranted not) {
      return new Outcome.Refused(
          new Refusal.LeftQueue(
              request,
              not.cause(),
              not.position(),
              earlier.state().holder().orElse(null),
              /* repeated= */ true));
    }

    @Override
    public Outcome released(RecordedOutcome.Released released) {
      return new Outcome.Released(released.token(), released.count(), /* repeated= */ true);
    }

    @Override
    public Outcome forced(RecordedOutcome.Forced forced) {
      return new Outcome.Forced(forced.tokens(), /* repeated= */ true);
    }
  }
}
