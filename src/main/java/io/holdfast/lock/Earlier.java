package io.holdfast.lock;

import io.holdfast.lock.Outcome.Manner;
import java.util.Optional;

/**
 * The earlier outcomes of requests. A repetition is told its first outcome, and what is true now.
 *
 * @param now the lock now, and what requests came to with this very batch
 */
record Earlier(Given given, Unfolding now) {

  private LockState state() {
    return now.state();
  }

  /** The outcome of the request, if it came before. */
  Optional<Outcome> of(LockCommand.Acquire acquire) {
    Request request = acquire.request();
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
    return settled(request, Settled.class);
  }

  /** The outcome of a request that neither waits nor holds, and has its effect at once. */
  Optional<Outcome> of(Request request, Class<? extends Settled> kind) {
    return state().position(request.id()) > 0 || holder(request.id()).isPresent()
        ? Optional.of(reused(request))
        : settled(request, kind);
  }

  private Optional<Outcome> settled(Request request, Class<? extends Settled> kind) {
    Optional<LeaseLife> session = request.id().keptBy().filter(given.hasEnded());
    if (session.isPresent()) { // what it came to is not kept any more
      return Optional.of(new Outcome.Refused(new Refusal.LeaseGone(session.get())));
    } else if (isForgotten(request.id())) { // it may have done what it asks for
      return Optional.of(new Outcome.Refused(new Refusal.RequestForgotten(request.id())));
    }
    return settled(request.id())
        .map(
            settled ->
                kind.isInstance(settled) && !request.contradicts(settled.content())
                    ? settled.match(new Again(this, request.id()))
                    : reused(request));
  }

  /** A grant of before, and what is left of it for this request. */
  private Outcome granted(RequestId request, FencingToken token, Life life) {
    int count =
        settled(new RequestId.Cancelling(request)).isPresent()
            ? 0
            : state().holder(token).map(Holder::count).orElse(0);
    return new Outcome.Acquired(token, life, count, Manner.REPEATED);
  }

  /** The final outcome of a request, if it has one that is still kept. */
  Optional<Settled> settled(RequestId request) {
    if (!isKnown(request)) {
      return Optional.empty();
    }
    return now.settled(request).or(() -> given.settled().apply(request));
  }

  /** Whether its outcome is kept in any case. */
  boolean isKept(RequestId request) {
    return request.isRepeatable() && isKnown(request);
  }

  /**
   * Whether an outcome of it can be kept: with its session, all of that goes. And of a session that
   * has asked for very much since, a request may still wait whose place among the others is gone.
   */
  boolean isKnown(RequestId request) {
    return request.keptBy().filter(given.hasEnded()).isEmpty() && !isForgotten(request);
  }

  private boolean isForgotten(RequestId request) {
    return given.isForgotten().test(request);
  }

  /** The holder, if this request was granted the lock. */
  Optional<Holder> holder(RequestId request) {
    return state().holder().filter(holder -> holder.request().id().equals(request));
  }

  private static Outcome reused(Request request) {
    return new Outcome.Refused(new Refusal.RequestReused(request.id()));
  }

  private record Again(Earlier earlier, RequestId request) implements Settled.Cases<Outcome> {

    @Override
    public Outcome granted(Settled.Granted granted) {
      return earlier.granted(request, granted.token(), granted.life());
    }

    @Override
    public Outcome notGranted(Settled.NotGranted not) {
      return new Outcome.Refused(
          new Refusal.LeftLine(
              request,
              not.cause(),
              not.position(),
              earlier.state().holder().orElse(null),
              /* repeated= */ true));
    }

    @Override
    public Outcome released(Settled.Released released) {
      return new Outcome.Released(released.token(), released.count(), /* repeated= */ true);
    }

    @Override
    public Outcome forced(Settled.Forced forced) {
      return new Outcome.Forced(forced.tokens(), /* repeated= */ true);
    }
  }
}
