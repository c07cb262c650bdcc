package io.holdfast.grpc.session;

import io.holdfast.config.SessionStreamSettings;
import io.holdfast.coordination.AnswerFacts;
import io.holdfast.grpc.call.LeaseCalls;
import io.holdfast.grpc.call.LeaseQuota;
import io.holdfast.grpc.call.LifetimeResolver;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.hosting.LeaseDetails;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.sharding.LeaseGateway;
import io.holdfast.sharding.ShardMap;
import io.holdfast.v1.Reason;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionOpened;
import io.holdfast.v1.ShardHash;
import io.holdfast.wire.Renewal;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** Opens sessions: grants the lease of a new one, or resumes one that is alive. */
public final class SessionOpener {

  private static final long USUAL_TTL_MS = 10_000;
  private static final Set<LeaseOutcome.Reason> FULL =
      Set.of(LeaseOutcome.Reason.TOO_MANY_LEASES, LeaseOutcome.Reason.STATE_FULL);

  /** An open session, with the message for the client. */
  record OpenedSession(ClientId client, Lifetime.Shared life, SessionOpened message) {}

  private final LeaseGateway leases;
  private final LeaseQuota quota;
  private final ShardMap shards;
  private final LifetimeResolver lifetimes;
  private final AnswerFacts facts;
  private final SessionStreamSettings settings;
  private final LongSupplier random;

  public SessionOpener(
      LeaseGateway leases,
      LeaseQuota quota,
      ShardMap shards,
      LifetimeResolver lifetimes,
      AnswerFacts facts,
      SessionStreamSettings settings,
      LongSupplier random) {
    this.leases = leases;
    this.quota = quota;
    this.shards = shards;
    this.lifetimes = lifetimes;
    this.facts = facts;
    this.settings = settings;
    this.random = random;
  }

  CompletionStage<OpenedSession> open(SessionOpen open, ClientConnection caller) {
    long session = RequestReader.atLeast("session_id", open.getSessionId(), 0);
    if (open.getClusterId() != 0 && open.getClusterId() != facts.identity().clusterId()) {
      throw StatusMapping.error(
          Reason.REASON_WRONG_CLUSTER, "this is not the cluster that the client means");
    }
    return session == 0 ? begin(open, caller) : resume(new LeaseId(session), open);
  }

  private CompletionStage<OpenedSession> begin(SessionOpen open, ClientConnection caller) {
    long ttlMs =
        open.getTtlMs() == 0
            ? USUAL_TTL_MS
            : RequestReader.within(
                "ttl_ms", open.getTtlMs(), LeaseTerms.MIN_TTL_MILLIS, LeaseTerms.MAX_TTL_MILLIS);
    ClientId client = RequestReader.client(open.getClientId());
    LeaseTerms terms = LeaseTerms.of(ttlMs, client, /* session= */ true);
    LeaseId id = new LeaseId(Math.max(1, random.getAsLong() & Long.MAX_VALUE));
    RequestHeader request =
        new RequestHeader(new RequestId.Once(client, random.getAsLong()), ContentHash.ANY);
    return quota
        .grant(caller, id, new LeaseCommand.Grant(request, terms), leases)
        .thenApply(
            answer -> {
              if (answer.outcome() instanceof LeaseOutcome.Granted granted) {
                return opened(id, granted.incarnation(), terms, /* resumed= */ false);
              }
              for (LeaseOutcome.Reason full : FULL) {
                if (answer.outcome().equals(new LeaseOutcome.Refused(full))) {
                  throw LeaseCalls.full(full);
                }
              }
              throw StatusMapping.error(
                  Reason.REASON_OWNER_MOVING, "the session could not be opened; nothing was done");
            });
  }

  private CompletionStage<OpenedSession> resume(LeaseId session, SessionOpen open) {
    if (open.getTtlMs() != 0) {
      throw RequestReader.notAllowed("ttl_ms", "ttl_ms is not allowed with session_id");
    } else if (!open.getClientId().isEmpty()) {
      throw RequestReader.notAllowed("client_id", "client_id is not allowed with session_id");
    }
    return lifetimes
        .find(session)
        .thenCompose(
            found -> {
              LeaseDetails view =
                  found
                      .filter(lease -> lease.terms().session())
                      .orElseThrow(SessionOpener::notFound);
              return leases
                  .renew(new Renewal.OfLease(session, view.incarnation()))
                  .thenApply(
                      answer -> {
                        if (!answer.alive()) {
                          throw notFound();
                        }
                        return opened(
                            session, view.incarnation(), view.terms(), /* resumed= */ true);
                      });
            });
  }

  private static RuntimeException notFound() {
    return StatusMapping.error(
        Reason.REASON_SESSION_NOT_FOUND, "there is no such session; all its grants have ended");
  }

  private OpenedSession opened(
      LeaseId id, Revision incarnation, LeaseTerms terms, boolean resumed) {
    return new OpenedSession(
        terms.client(),
        new Lifetime.Shared(LeaseLife.of(id, incarnation), terms.ttl()),
        SessionOpened.newBuilder()
            .setSessionId(id.value())
            .setIncarnation(incarnation.value())
            .setGrantedTtlMs(terms.ttl().millis())
            .setResumed(resumed)
            .setMaxOpenOperations(settings.maxOpenOperations())
            .setShardCount(shards.shards())
            .setShardHash(ShardHash.SHARD_HASH_CRC32C)
            .build());
  }
}
