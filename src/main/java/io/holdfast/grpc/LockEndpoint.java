package io.holdfast.grpc;

import akka.NotUsed;
import akka.actor.typed.ActorSystem;
import akka.stream.javadsl.Source;
import io.grpc.StatusRuntimeException;
import io.holdfast.config.SessionStreamSettings;
import io.holdfast.coordination.AnswerFacts;
import io.holdfast.grpc.call.CallRunner;
import io.holdfast.grpc.call.LeaseCalls;
import io.holdfast.grpc.call.LifetimeResolver;
import io.holdfast.grpc.call.LockCalls;
import io.holdfast.grpc.call.NodeQuotas;
import io.holdfast.grpc.call.ReadCalls;
import io.holdfast.grpc.call.ServingState;
import io.holdfast.grpc.frame.SessionIntake;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.session.SessionDependencies;
import io.holdfast.grpc.session.SessionFlow;
import io.holdfast.grpc.session.SessionOpener;
import io.holdfast.grpc.session.SessionRegistry;
import io.holdfast.grpc.session.SessionStreamActor;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.grpc.translate.RemainingTtls;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.grpc.watch.WatchEndpoint;
import io.holdfast.hosting.LockQueries;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.sharding.LockShards;
import io.holdfast.v1.CancelRequest;
import io.holdfast.v1.CancelResponse;
import io.holdfast.v1.ForceUnlockRequest;
import io.holdfast.v1.ForceUnlockResponse;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.Header;
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
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.ListLocksResponse;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockService;
import io.holdfast.v1.Reason;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.RenewResponse;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import io.holdfast.v1.UnlockRequest;
import io.holdfast.v1.UnlockResponse;
import io.holdfast.v1.ValidateRequest;
import io.holdfast.v1.ValidateResponse;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import io.holdfast.wire.Renewal;
import java.security.SecureRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** Serves {@code holdfast.v1.LockService}. It decides nothing itself. */
final class LockEndpoint implements LockService {

  private final ActorSystem<?> system;
  private final LockShards locks;
  private final RequestReader reader;
  private final AnswerWriter writer;
  private final CallRunner calls;
  private final LeaseCalls leases;
  private final ReadCalls readCalls;
  private final WatchEndpoint watches;
  private final LockCalls lockCalls;
  private final NodeQuotas quotas;
  private final SessionDependencies dependencies;

  LockEndpoint(
      ActorSystem<?> system,
      NodeQuotas quotas,
      SessionStreamSettings sessions,
      LockShards locks,
      LockQueries reads,
      AnswerFacts facts,
      ServingState serving,
      WatchEndpoint watches) {
    LongSupplier random = new SecureRandom()::nextLong;
    this.system = system;
    this.locks = locks;
    this.watches = watches;
    reader = new RequestReader(random);
    writer = new AnswerWriter(facts, locks);
    RemainingTtls remaining = new RemainingTtls(locks::left);
    calls = new CallRunner(serving, writer::header);
    this.quotas = quotas;
    leases = new LeaseCalls(locks, reads, reader, writer, random, quotas);
    readCalls = new ReadCalls(reads, writer, remaining);
    LifetimeResolver lifetimes =
        new LifetimeResolver(
            (lease, linearizable) ->
                reads.lease(lease, linearizable).thenApply(LockQueries.Read::value));
    lockCalls = new LockCalls(locks, lifetimes, reader, writer, remaining, calls, quotas);
    dependencies =
        new SessionDependencies(
            locks,
            readCalls,
            writer,
            new SessionOpener(locks, quotas.leases(), locks, lifetimes, facts, sessions, random),
            lifetimes,
            new SessionRegistry(sessions.maxStreams(), system.executionContext()),
            calls,
            quotas.commands(),
            quotas.unread(),
            quotas.operations(),
            sessions,
            random,
            System::nanoTime);
  }

  /** Returns the header of an answer: the cluster, the member and the revision. */
  Header header() {
    return writer.header();
  }

  /** Returns the session streams of this node, which must be notified of the ends of leases. */
  SessionRegistry sessions() {
    return dependencies.sessions();
  }

  /** Returns the Lock calls, which may outlive their clients' connections. */
  LockCalls lockCalls() {
    return lockCalls;
  }

  @Override
  public CompletionStage<LockResponse> lock(LockRequest request) {
    return lockCalls.lock(request, ClientConnection.unknown()).answer();
  }

  @Override
  public CompletionStage<LockResponse> tryLock(LockRequest request) {
    return tryLock(request, ClientConnection.unknown());
  }

  /** Serves {@link #tryLock(LockRequest)} for a client's connection, as do the methods below. */
  CompletionStage<LockResponse> tryLock(LockRequest request, ClientConnection caller) {
    if (request.getTimeoutMs() != 0) {
      return calls.answer(
          request,
          () -> {
            throw RequestReader.notAllowed(
                "timeout_ms", "TryLock does not wait: timeout_ms must be 0");
          });
    }
    return lockCalls.lock(request, caller).answer();
  }

  @Override
  public CompletionStage<UnlockResponse> unlock(UnlockRequest request) {
    return unlock(request, ClientConnection.unknown());
  }

  CompletionStage<UnlockResponse> unlock(UnlockRequest request, ClientConnection caller) {
    return calls.answer(
        request,
        () -> {
          LockKey key = RequestReader.key(request.getKey());
          LockCommand release = reader.release(request);
          return quotas
              .requests()
              .run(
                  caller,
                  locks.shard(key),
                  request.getRequestId(),
                  UnlockResponse::getRepeated,
                  () -> locks.handle(key, release).thenApply(done -> writer.unlock(key, done)));
        });
  }

  @Override
  public CompletionStage<RenewResponse> renew(RenewRequest request) {
    return calls.answer(
        request,
        () -> {
          LockKey key = RequestReader.key(request.getKey());
          return locks
              .renew(renewal(key, request))
              .thenApply(
                  answer ->
                      writer
                          .renewed(key, request, answer)
                          .setHeader(writer.header())
                          .setKey(key.value())
                          .build());
        });
  }

  private Renewal renewal(LockKey key, RenewRequest request) {
    return switch (request.getTargetCase()) {
      case FENCING_TOKEN ->
          new Renewal.OfGrant(key, RequestReader.token(request.getFencingToken()));
      case LOCK_REQUEST_ID ->
          new Renewal.OfRequest(
              key, reader.named(request.getClientId(), request.getLockRequestId()));
      case LOCK_NUMBER ->
          throw RequestReader.notAllowed("lock_number", "lock_number is only for sessions");
      case TARGET_NOT_SET -> throw RequestReader.required("fencing_token");
    };
  }

  @Override
  public CompletionStage<CancelResponse> cancel(CancelRequest request) {
    return cancel(request, ClientConnection.unknown());
  }

  CompletionStage<CancelResponse> cancel(CancelRequest request, ClientConnection caller) {
    return calls.answer(
        request,
        () -> {
          LockKey key = RequestReader.key(request.getKey());
          LockCommand cancel =
              switch (request.getTargetCase()) {
                case LOCK_REQUEST_ID ->
                    new LockCommand.Cancel(
                        reader.named(request.getClientId(), request.getLockRequestId()));
                case LOCK_NUMBER ->
                    throw RequestReader.notAllowed(
                        "lock_number", "lock_number is only for sessions");
                case TARGET_NOT_SET -> throw RequestReader.required("lock_request_id");
              };
          return quotas
              .requests()
              .run(
                  caller,
                  locks.shard(key),
                  request.getLockRequestId(),
                  answer -> answer.getDropped() || answer.getReleased(),
                  () -> locks.handle(key, cancel).thenApply(done -> writer.cancel(key, done)));
        });
  }

  @Override
  public CompletionStage<ForceUnlockResponse> forceUnlock(ForceUnlockRequest request) {
    return forceUnlock(request, ClientConnection.unknown());
  }

  CompletionStage<ForceUnlockResponse> forceUnlock(
      ForceUnlockRequest request, ClientConnection caller) {
    return calls.answer(
        request,
        () -> {
          LockKey key = RequestReader.key(request.getKey());
          LockCommand force = reader.force(request);
          return quotas
              .requests()
              .run(
                  caller,
                  locks.shard(key),
                  request.getRequestId(),
                  ForceUnlockResponse::getRepeated,
                  () -> locks.handle(key, force).thenApply(done -> writer.force(key, done)));
        });
  }

  @Override
  public CompletionStage<LeaseGrantResponse> leaseGrant(LeaseGrantRequest request) {
    return leaseGrant(request, ClientConnection.unknown());
  }

  CompletionStage<LeaseGrantResponse> leaseGrant(
      LeaseGrantRequest request, ClientConnection caller) {
    return calls.answer(request, () -> leases.grant(request, caller));
  }

  @Override
  public CompletionStage<LeaseRevokeResponse> leaseRevoke(LeaseRevokeRequest request) {
    return leaseRevoke(request, ClientConnection.unknown());
  }

  CompletionStage<LeaseRevokeResponse> leaseRevoke(
      LeaseRevokeRequest request, ClientConnection caller) {
    return calls.answer(request, () -> leases.revoke(request, caller));
  }

  @Override
  public Source<LeaseKeepAliveResponse, NotUsed> leaseKeepAlive(
      Source<LeaseKeepAliveRequest, NotUsed> requests) {
    return leases.keepAlive(requests, calls);
  }

  @Override
  public CompletionStage<LeaseTimeToLiveResponse> leaseTimeToLive(LeaseTimeToLiveRequest request) {
    return calls.read(request, request.getSerializable(), () -> leases.timeToLive(request));
  }

  @Override
  public CompletionStage<ListLeasesResponse> listLeases(ListLeasesRequest request) {
    return calls.read(request, request.getSerializable(), () -> leases.list(request));
  }

  @Override
  public CompletionStage<GetLockResponse> getLock(GetLockRequest request) {
    return calls.read(request, request.getSerializable(), () -> readCalls.get(request));
  }

  @Override
  public CompletionStage<ListLocksResponse> listLocks(ListLocksRequest request) {
    return calls.read(request, request.getSerializable(), () -> readCalls.list(request));
  }

  @Override
  public CompletionStage<ValidateResponse> validate(ValidateRequest request) {
    return calls.read(request, request.getSerializable(), () -> readCalls.validate(request));
  }

  @Override
  public Source<WatchResponse, NotUsed> watch(Source<WatchRequest, NotUsed> requests) {
    return watch(requests, ClientConnection.unknown());
  }

  /** Serves a stream of watches of this connection. */
  Source<WatchResponse, NotUsed> watch(
      Source<WatchRequest, NotUsed> requests, ClientConnection caller) {
    try {
      calls.requireServing();
    } catch (StatusRuntimeException e) {
      return Source.failed(e);
    }
    return watches.watch(requests, quotas.unread(), caller);
  }

  @Override
  public Source<SessionResponse, NotUsed> session(Source<SessionRequest, NotUsed> frames) {
    return session(
        frames,
        new SessionIntake(
            Quota.ofHeap(Quota.Kind.FRAMES), quotas.unread(), ClientConnection.unknown()));
  }

  /** Serves a session stream whose frames are admitted by this intake. */
  Source<SessionResponse, NotUsed> session(
      Source<SessionRequest, NotUsed> frames, SessionIntake intake) {
    try {
      calls.requireServing();
    } catch (StatusRuntimeException e) {
      return Source.failed(e);
    }
    if (!dependencies.sessions().begin()) {
      return Source.failed(
          StatusMapping.error(
              Reason.REASON_TOO_MANY_STREAMS,
              "this node has [%d] streams, the maximum"
                  .formatted(dependencies.settings().maxStreams())));
    }
    return SessionFlow.join(system, frames, () -> SessionStreamActor.create(dependencies, intake));
  }
}
