package io.holdfast.entity;

import io.holdfast.journal.SettledProto;
import io.holdfast.journal.state.Answer;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.LeaseRef;
import io.holdfast.journal.state.Request;
import io.holdfast.lock.LeaseLife;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Settled;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The outcomes of earlier requests to one lock or lease, by one version of the node's own journal,
 * which has applied all that the actor was told of. All that is decided together looks at the same
 * version: the log goes on meanwhile, and what two looks say may never have been true at once.
 * Belongs to one actor.
 */
final class PastRequests {

  private static final String CANCELLING = "\u0001";
  private static final String ONCE = "\u0002";

  private final JournalVersion version;
  private final RequestScope scope;
  private final Map<LeaseLife, Long> lowestOpen = new HashMap<>(0);

  PastRequests(JournalVersion version, RequestScope scope) {
    this.version = version;
    this.scope = scope;
  }

  /** The newest revision that the decision can know of. */
  long revision() {
    return version.revision();
  }

  boolean hasEnded(LeaseLife lease) {
    return Leases.hasEnded(version, lease);
  }

  /** The lowest number that the session of this request still waits for. */
  void lowestOpen(RequestId request, long number) {
    if (request instanceof RequestId.Numbered numbered) {
      lowestOpen.merge(numbered.session(), number, Math::max);
    }
  }

  Optional<Settled> settled(RequestId id) {
    return version.request(scope.shard(), request(id)).map(SettledProto::lock);
  }

  /**
   * Whether the outcome of this request is not kept any more: it was answered, or its client has
   * given it up. The journal takes no answer to it.
   */
  boolean isForgotten(RequestId id) {
    return request(id) instanceof Request.Numbered numbered
        && version.isForgotten(scope.shard(), numbered);
  }

  List<Answer> answers(Map<RequestId, Settled> settled) {
    return settled.entrySet().stream()
        .map(each -> new Answer(request(each.getKey()), SettledProto.write(each.getValue())))
        .toList();
  }

  /** How the journal knows a request. */
  Request request(RequestId id) {
    return id.match(
        new RequestId.Cases<>() {
          @Override
          public Request named(RequestId.Named named) {
            return new Request.Named(named.client().value(), scope.prefix() + named.value());
          }

          @Override
          public Request numbered(RequestId.Numbered numbered) {
            LeaseLife session = numbered.session();
            return new Request.Numbered(
                new LeaseRef(session.id(), session.incarnation()),
                numbered.number(),
                Math.min(lowestOpen.getOrDefault(session, 0L), numbered.number()));
          }

          @Override
          public Request once(RequestId.Once once) {
            return new Request.Named(
                ONCE + once.client().value(), scope.prefix() + Long.toHexString(once.value()));
          }

          /** Beside the request itself: no client's name or id has this mark. */
          @Override
          public Request cancelling(RequestId.Cancelling cancelling) {
            RequestId of = cancelling.of();
            return of.keptBy().isPresent()
                ? new Request.Named(CANCELLING + of.keptBy().get(), scope.prefix() + of)
                : new Request.Named(
                    of.client().value(), CANCELLING + ((Request.Named) request(of)).id());
          }
        });
  }
}
