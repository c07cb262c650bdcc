package io.holdfast.grpc.call;

import akka.NotUsed;
import akka.stream.javadsl.Source;
import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.grpc.translate.PageToken;
import io.holdfast.grpc.translate.RecordWriter;
import io.holdfast.grpc.translate.RefusalTranslator;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.hosting.LeaseDetails;
import io.holdfast.hosting.LockQueries;
import io.holdfast.id.LeaseId;
import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.sharding.LockShards;
import io.holdfast.v1.LeaseGrantRequest;
import io.holdfast.v1.LeaseGrantResponse;
import io.holdfast.v1.LeaseKeepAliveRequest;
import io.holdfast.v1.LeaseKeepAliveResponse;
import io.holdfast.v1.LeaseRevokeRequest;
import io.holdfast.v1.LeaseRevokeResponse;
import io.holdfast.v1.LeaseTimeToLiveRequest;
import io.holdfast.v1.LeaseTimeToLiveResponse;
import io.holdfast.v1.ListLeasesRequest;
import io.holdfast.v1.ListLeasesResponse;
import io.holdfast.v1.Reason;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.Renewal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The calls about shared leases. */
public final class LeaseCalls {

  private static final int MAX_KEYS = 1_000;
  private static final int MAX_PAGE = 1_000;
  private static final int USUAL_PAGE = 100;

  /** The number of keepalives of one stream that may be in progress at once. */
  private static final int KEEP_ALIVES_AT_ONCE = 1_024;

  /** The number of attempts to choose an id that no other lease has. */
  private static final int CHOICES = 3;

  private final LockShards locks;
  private final LockQueries reads;
  private final RequestReader reader;
  private final AnswerWriter writer;
  private final LongSupplier random;
  private final NodeQuotas quotas;

  public LeaseCalls(
      LockShards locks,
      LockQueries reads,
      RequestReader reader,
      AnswerWriter writer,
      LongSupplier random,
      NodeQuotas quotas) {
    this.quotas = quotas;
    this.locks = locks;
    this.reads = reads;
    this.reader = reader;
    this.writer = writer;
    this.random = random;
  }

  public CompletionStage<LeaseGrantResponse> grant(
      LeaseGrantRequest request, ClientConnection caller) {
    LeaseCommand.Grant grant = reader.grant(request);
    long wanted = RequestReader.atLeast("lease_id", request.getLeaseId(), 0);
    LeaseId id = wanted == 0 ? chosen(request) : new LeaseId(wanted);
    return quotas
        .requests()
        .run(
            caller,
            locks.shard(id),
            request.getRequestId(),
            LeaseGrantResponse::getRepeated,
            () -> grant(caller, id, grant, wanted == 0 ? CHOICES : 1));
  }

  /** Returns a random id. A request with an id may be repeated, and then gets the same lease id. */
  private LeaseId chosen(LeaseGrantRequest request) {
    return request.getRequestId().isEmpty()
        ? positive(random.getAsLong())
        : positive(
            new io.holdfast.lock.ContentHash()
                .and(request.getClientId())
                .and(request.getRequestId())
                .value());
  }

  private static LeaseId positive(long value) {
    return new LeaseId(Math.max(1, value & Long.MAX_VALUE));
  }

  private CompletionStage<LeaseGrantResponse> grant(
      ClientConnection caller, LeaseId lease, LeaseCommand.Grant grant, int choices) {
    return quotas
        .leases()
        .grant(caller, lease, grant, locks)
        .thenCompose(
            answer -> {
              LeaseOutcome outcome = answer.outcome();
              if (outcome instanceof LeaseOutcome.Granted granted) {
                return CompletableFuture.completedFuture(
                    LeaseGrantResponse.newBuilder()
                        .setHeader(writer.header(answer.revision()))
                        .setLeaseId(lease.value())
                        .setIncarnation(granted.incarnation().value())
                        .setGrantedTtlMs(granted.ttl().millis())
                        .setRepeated(granted.repeated())
                        .build());
              } else if (isTaken(outcome) && choices > 1) {
                return grant(caller, positive(random.getAsLong()), grant, choices - 1);
              }
              throw error(lease, outcome);
            });
  }

  private static boolean isTaken(LeaseOutcome outcome) {
    return outcome.equals(new LeaseOutcome.Refused(LeaseOutcome.Reason.EXISTS));
  }

  public CompletionStage<LeaseRevokeResponse> revoke(
      LeaseRevokeRequest request, ClientConnection caller) {
    LeaseId lease = RequestReader.lease(request.getLeaseId());
    LeaseCommand.Revoke revoke = reader.revoke(request);
    return quotas
        .requests()
        .run(
            caller,
            locks.shard(lease),
            request.getRequestId(),
            LeaseRevokeResponse::getRepeated,
            () -> locks.handle(lease, revoke).thenApply(answer -> revoked(lease, answer)));
  }

  private LeaseRevokeResponse revoked(LeaseId lease, LeaseAnswer answer) {
    quotas.leases().answered(lease, answer);
    if (answer.outcome() instanceof LeaseOutcome.Ended ended) {
      return LeaseRevokeResponse.newBuilder()
          .setHeader(writer.header(answer.revision()))
          .setReleasedCount(ended.released())
          .setRepeated(ended.repeated())
          .build();
    }
    throw error(lease, answer.outcome());
  }

  private static RuntimeException error(LeaseId lease, LeaseOutcome outcome) {
    if (!(outcome instanceof LeaseOutcome.Refused refused)) {
      return new IllegalStateException("not an outcome of this request [" + outcome + "]");
    }
    return switch (refused.reason()) {
      case EXISTS ->
          StatusMapping.error(
              Reason.REASON_LEASE_EXISTS, "lease_id [" + lease + "] is of a lease that is alive");
      case NOT_FOUND -> RefusalTranslator.leaseNotFound(lease);
      case REQUEST_REUSED ->
          StatusMapping.error(
              Reason.REASON_REQUEST_ID_REUSED, "request_id came before with other content");
      case TOO_MANY_LEASES, TOO_MANY_REQUEST_IDS, OVERLOADED, STATE_FULL -> full(refused.reason());
    };
  }

  /** The error for a bound of leases. */
  public static RuntimeException full(LeaseOutcome.Reason reason) {
    return switch (reason) {
      case TOO_MANY_LEASES ->
          StatusMapping.error(
              Reason.REASON_TOO_MANY_LEASES, "the cluster has the maximum of leases");
      case TOO_MANY_REQUEST_IDS ->
          StatusMapping.error(
              Reason.REASON_TOO_MANY_REQUEST_IDS,
              "this shard remembers the maximum of request ids");
      case OVERLOADED ->
          StatusMapping.error(
              Reason.REASON_OVERLOADED, "the maximum of commands waits for the lease");
      case STATE_FULL ->
          StatusMapping.error(
              Reason.REASON_STATE_FULL,
              "the cluster keeps the maximum of locks, leases and outcomes");
      case EXISTS, NOT_FOUND, REQUEST_REUSED -> throw new IllegalArgumentException(reason.name());
    };
  }

  /**
   * Answers a stream of keepalives. A keepalive with an unknown result gets no answer, so that the
   * client does not count on it.
   */
  public Source<LeaseKeepAliveResponse, NotUsed> keepAlive(
      Source<LeaseKeepAliveRequest, NotUsed> requests, CallRunner calls) {
    return requests
        .mapAsyncUnordered(
            KEEP_ALIVES_AT_ONCE,
            request ->
                calls
                    .answer(request, () -> keepAlive(request))
                    .handle(
                        (response, failure) -> {
                          if (failure == null) {
                            return List.of(response);
                          } else if (isUnanswered(failure)) {
                            return List.<LeaseKeepAliveResponse>of();
                          }
                          throw CallRunner.status(failure);
                        }))
        .mapConcat(responses -> responses);
  }

  private static boolean isUnanswered(Throwable failure) {
    return CallRunner.status(failure).getStatus().getCode() == Status.Code.UNKNOWN;
  }

  private CompletionStage<LeaseKeepAliveResponse> keepAlive(LeaseKeepAliveRequest request) {
    LeaseId lease = RequestReader.lease(request.getLeaseId());
    long incarnation = RequestReader.atLeast("incarnation", request.getIncarnation(), 0);
    return locks
        .renew(new Renewal.OfLease(lease, new Revision(incarnation)))
        .thenApply(
            answer ->
                LeaseKeepAliveResponse.newBuilder()
                    .setHeader(writer.header())
                    .setLeaseId(lease.value())
                    .setNumber(request.getNumber())
                    .setAlive(answer.alive())
                    .setGrantedTtlMs(answer.ttlMs())
                    .setIncarnation(answer.incarnation().value())
                    .build());
  }

  public CompletionStage<LeaseTimeToLiveResponse> timeToLive(LeaseTimeToLiveRequest request) {
    LeaseId lease = RequestReader.lease(request.getLeaseId());
    int limit = RequestReader.size("key_limit", request.getKeyLimit(), 0, MAX_KEYS);
    String list = "keys of " + lease;
    String after = PageToken.read(list, request.getPageToken());
    return reads
        .lease(lease, !request.getSerializable(), after, limit)
        .thenCombine(
            locks.left(new Renewal.OfLease(lease, Revision.NONE)),
            (read, left) -> {
              LeaseDetails view =
                  read.value().orElseThrow(() -> RefusalTranslator.leaseNotFound(lease));
              return LeaseTimeToLiveResponse.newBuilder()
                  .setHeader(writer.header(read.revision()))
                  .setLease(writer.lease(view, left))
                  .setNextPageToken(
                      limit > 0 && view.keys().size() == limit
                          ? PageToken.write(list, view.keys().get(limit - 1).value())
                          : ByteString.EMPTY)
                  .build();
            });
  }

  public CompletionStage<ListLeasesResponse> list(ListLeasesRequest request) {
    int size = RequestReader.size("page_size", request.getPageSize(), USUAL_PAGE, MAX_PAGE);
    String client = RequestReader.client(request.getClientId()).value();
    String list = "leases of " + client;
    String after = PageToken.read(list, request.getPageToken());
    return reads
        .leases(last(after), size, !request.getSerializable())
        .thenApply(
            read -> {
              ListLeasesResponse.Builder response =
                  ListLeasesResponse.newBuilder().setHeader(writer.header(read.revision()));
              read.value().stream()
                  .filter(view -> client.isEmpty() || view.terms().client().value().equals(client))
                  .forEach(view -> response.addLeases(RecordWriter.lease(view)));
              if (read.value().size() == size) {
                response.setNextPageToken(
                    PageToken.write(list, read.value().get(size - 1).id().toString()));
              }
              return response.build();
            });
  }

  private static @Nullable LeaseId last(String after) {
    if (after.isEmpty()) {
      return null;
    }
    long last;
    try {
      last = Long.parseLong(after);
    } catch (NumberFormatException e) {
      last = 0;
    }
    if (last <= 0) { // no server writes such a token
      throw RequestReader.cursorInvalid("page_token");
    }
    return new LeaseId(last);
  }
}
