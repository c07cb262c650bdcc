package io.holdfast.entity;

import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.journal.OutcomeProto;
import io.holdfast.journal.state.AnsweredRequest;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.RequestKey;
import io.holdfast.keeper.EndedLeases;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.rules.RecordedOutcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The recorded outcomes of requests to one lock or lease, by one version of the journal. A batch
 * uses one version for all its decisions: the log goes on meanwhile, and two versions together may
 * show a state that never existed. Belongs to one actor.
 */
final class RequestHistory {

  private static final String CANCELLING = "\u0001";
  private static final String ONCE = "\u0002";

  private final JournalVersion version;
  private final RequestScope scope;
  private final Map<LeaseLife, Long> lowestOpen = new HashMap<>(0);

  RequestHistory(JournalVersion version, RequestScope scope) {
    this.version = version;
    this.scope = scope;
  }

  /** Returns the newest revision that the decision can reflect. */
  Revision revision() {
    return version.revision();
  }

  boolean hasEnded(LeaseLife lease) {
    return EndedLeases.hasEnded(version, lease);
  }

  /** Notes the lowest number that the session of this request still waits for. */
  void lowestOpen(RequestId request, long number) {
    if (request instanceof RequestId.Numbered numbered) {
      lowestOpen.merge(numbered.session(), number, Math::max);
    }
  }

  Optional<RecordedOutcome> recorded(RequestId id) {
    return version.request(scope.shard(), request(id)).map(OutcomeProto::lock);
  }

  /**
   * True if the outcome of this request is dropped, since its client does not wait for it any more.
   * The journal records no outcome of it.
   */
  boolean isForgotten(RequestId id) {
    return request(id) instanceof RequestKey.Numbered numbered
        && version.isForgotten(scope.shard(), numbered);
  }

  List<AnsweredRequest> answers(Map<RequestId, RecordedOutcome> recorded) {
    return recorded.entrySet().stream()
        .map(
            each ->
                new AnsweredRequest(request(each.getKey()), OutcomeProto.write(each.getValue())))
        .toList();
  }

  /** Returns the id of a request in the journal. */
  RequestKey request(RequestId id) {
    return id.match(
        new RequestId.Cases<>() {
          @Override
          public RequestKey named(RequestId.Named named) {
            return new RequestKey.Named(named.client().value(), scope.prefix() + named.value());
          }

          @Override
          public RequestKey numbered(RequestId.Numbered numbered) {
            LeaseLife session = numbered.session();
            return new RequestKey.Numbered(
                session,
                numbered.number(),
                Math.min(lowestOpen.getOrDefault(session, 0L), numbered.number()));
          }

          @Override
          public RequestKey once(RequestId.Once once) {
            return new RequestKey.Named(
                ONCE + once.client().value(), scope.prefix() + Long.toHexString(once.value()));
          }

          /** A name next to the request's own. No name or id of a client has this prefix. */
          @Override
          public RequestKey cancelling(RequestId.Cancelling cancelling) {
            RequestId of = cancelling.of();
            return of.keptBy().isPresent()
                ? new RequestKey.Named(CANCELLING + of.keptBy().get(), scope.prefix() + of)
                : new RequestKey.Named(
                    of.client().value(), CANCELLING + ((RequestKey.Named) request(of)).id());
          }
        });
  }
}
