package holdfast.entity;

import holdfast.journal.JournalStore;
import holdfast.journal.LockRecord;
import holdfast.journal.SettledProto;
import holdfast.journal.state.Answer;
import holdfast.journal.state.JournalVersion;
import holdfast.journal.state.LeaseRef;
import holdfast.journal.state.Request;
import holdfast.lock.Decision.Settlement;
import holdfast.lock.FencingToken;
import holdfast.lock.LeaseLife;
import holdfast.lock.LockKey;
import holdfast.lock.RequestId;
import holdfast.lock.Settled;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What requests to one lock or lease came to before, by the node's own journal: it has applied all
 * that the actor was told of. Belongs to one actor.
 */
final class PastRequests {

  private static final int SCOPE_BYTES = 16;
  private static final String CANCELLING = "\u0001";
  private static final String ONCE = "\u0002";

  private final JournalStore store;
  private final int shard;
  private final String persistenceId;
  private final String scope;
  private final Map<LeaseLife, Long> lowestOpen = new HashMap<>(0);

  PastRequests(JournalStore store, int shard, String persistenceId) {
    this.store = store;
    this.shard = shard;
    this.persistenceId = persistenceId;
    this.scope = scope(persistenceId);
  }

  LockKey key() {
    return Ids.lock(persistenceId).orElseThrow();
  }

  /** The newest revision that the node knows. */
  long revision() {
    return store.version().revision();
  }

  /** Whether the lock is held under this token, by what everyone may see. */
  boolean holds(JournalVersion version, FencingToken token) {
    return version.record(shard, persistenceId).stream()
        .flatMap(record -> LockRecord.holders(record).stream())
        .anyMatch(holder -> holder.token().equals(token));
  }

  boolean hasEnded(LeaseLife lease) {
    return Leases.hasEnded(store.version(), lease);
  }

  /** Others' commands are decided now. */
  void begin() {
    lowestOpen.clear();
  }

  /** The lowest number that the session of this request still waits for. */
  void lowestOpen(RequestId request, long number) {
    if (request instanceof RequestId.Numbered numbered) {
      lowestOpen.merge(numbered.session(), number, Math::max);
    }
  }

  Optional<Settled> settled(RequestId id) {
    return request(id)
        .flatMap(request -> store.version().request(shard, request))
        .map(SettledProto::lock);
  }

  /**
   * Whether what this request came to is not kept any more: it was answered, or its client has
   * given it up. The journal takes no answer to it.
   */
  boolean isForgotten(RequestId id) {
    return request(id)
        .filter(
            request ->
                request instanceof Request.Numbered numbered
                    && store.version().isForgotten(shard, numbered))
        .isPresent();
  }

  List<Answer> answers(List<Settlement> settlements) {
    return settlements.stream()
        .flatMap(
            settlement ->
                request(settlement.request()).stream()
                    .map(request -> new Answer(request, SettledProto.write(settlement.settled()))))
        .toList();
  }

  /** How the journal knows a request. */
  Optional<Request> request(RequestId id) {
    return id.match(
        new RequestId.Cases<>() {
          @Override
          public Optional<Request> named(RequestId.Named named) {
            return Optional.of(new Request.Named(named.client().value(), scope + named.value()));
          }

          @Override
          public Optional<Request> numbered(RequestId.Numbered numbered) {
            LeaseLife session = numbered.session();
            return Optional.of(
                new Request.Numbered(
                    new LeaseRef(session.id(), session.incarnation()),
                    numbered.number(),
                    Math.min(lowestOpen.getOrDefault(session, 0L), numbered.number())));
          }

          @Override
          public Optional<Request> once(RequestId.Once once) {
            return Optional.of(
                new Request.Named(
                    ONCE + once.client().value(), scope + Long.toHexString(once.value())));
          }

          /** Beside the request itself: no client's name or id has this mark. */
          @Override
          public Optional<Request> cancelling(RequestId.Cancelling cancelling) {
            RequestId of = cancelling.of();
            return of.keptBy().isPresent()
                ? Optional.of(new Request.Named(CANCELLING + of.keptBy().get(), scope + of))
                : request(of)
                    .map(
                        named ->
                            new Request.Named(
                                of.client().value(), CANCELLING + ((Request.Named) named).id()));
          }
        });
  }

  /** A name for one key or another is another request: long keys in short. */
  private static String scope(String persistenceId) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(persistenceId.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder()
          .withoutPadding()
          .encodeToString(Arrays.copyOf(digest, SCOPE_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java has it
    }
  }
}
