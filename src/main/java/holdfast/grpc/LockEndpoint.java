package holdfast.grpc;

import akka.NotUsed;
import akka.stream.javadsl.Source;
import com.google.protobuf.MessageLite;
import holdfast.coordination.AnswerFacts;
import holdfast.entity.LockShards;
import holdfast.lock.LockCommand;
import holdfast.lock.LockKey;
import holdfast.v1.CancelRequest;
import holdfast.v1.CancelResponse;
import holdfast.v1.ForceUnlockRequest;
import holdfast.v1.ForceUnlockResponse;
import holdfast.v1.GetLockRequest;
import holdfast.v1.GetLockResponse;
import holdfast.v1.Header;
import holdfast.v1.LeaseGrantRequest;
import holdfast.v1.LeaseGrantResponse;
import holdfast.v1.LeaseKeepAliveRequest;
import holdfast.v1.LeaseKeepAliveResponse;
import holdfast.v1.LeaseRevokeRequest;
import holdfast.v1.LeaseRevokeResponse;
import holdfast.v1.LeaseTimeToLiveRequest;
import holdfast.v1.LeaseTimeToLiveResponse;
import holdfast.v1.ListLeasesRequest;
import holdfast.v1.ListLeasesResponse;
import holdfast.v1.ListLocksRequest;
import holdfast.v1.ListLocksResponse;
import holdfast.v1.LockRequest;
import holdfast.v1.LockResponse;
import holdfast.v1.LockService;
import holdfast.v1.Reason;
import holdfast.v1.RenewRequest;
import holdfast.v1.RenewResponse;
import holdfast.v1.SessionRequest;
import holdfast.v1.SessionResponse;
import holdfast.v1.UnlockRequest;
import holdfast.v1.UnlockResponse;
import holdfast.v1.ValidateRequest;
import holdfast.v1.ValidateResponse;
import holdfast.v1.WatchRequest;
import holdfast.v1.WatchResponse;
import io.grpc.StatusRuntimeException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves {@code holdfast.v1.LockService}. What is not served yet answers UNIMPLEMENTED. */
final class LockEndpoint implements LockService {

  private static final Logger log = LoggerFactory.getLogger(LockEndpoint.class);

  private final LockShards locks;
  private final RequestReader reader = new RequestReader(() -> UUID.randomUUID().toString());
  private final AnswerWriter writer;
  private final Serving serving;

  LockEndpoint(LockShards locks, AnswerFacts facts, Serving serving) {
    this.locks = locks;
    this.serving = serving;
    this.writer = new AnswerWriter(facts);
  }

  @Override
  public CompletionStage<LockResponse> lock(LockRequest request) {
    return answer(
        request,
        () -> {
          LockKey key = RequestReader.key(request.getKey());
          return locks
              .handle(key, reader.acquire(request))
              .thenApply(outcome -> writer.lock(key, outcome));
        });
  }

  @Override
  public CompletionStage<LockResponse> tryLock(LockRequest request) {
    if (request.getTimeoutMs() != 0) {
      return CompletableFuture.failedFuture(
          RequestReader.notAllowed("timeout_ms", "TryLock does not wait: timeout_ms must be 0"));
    }
    return lock(request);
  }

  @Override
  public CompletionStage<UnlockResponse> unlock(UnlockRequest request) {
    return answer(
        request,
        () -> {
          LockKey key = RequestReader.key(request.getKey());
          LockCommand release =
              new LockCommand.Release(RequestReader.token(request.getFencingToken()));
          return locks.handle(key, release).thenApply(outcome -> writer.unlock(key, outcome));
        });
  }

  @Override
  public CompletionStage<GetLockResponse> getLock(GetLockRequest request) {
    return answer(
        request,
        () -> {
          LockKey key = RequestReader.key(request.getKey());
          int waiterLimit = RequestReader.waiterLimit(request.getWaiterLimit());
          Header header = writer.header();
          return locks
              .read(key)
              .thenApply(state -> writer.getLock(header, key, state, waiterLimit));
        });
  }

  @Override
  public CompletionStage<RenewResponse> renew(RenewRequest request) {
    return unserved("Renew");
  }

  @Override
  public CompletionStage<CancelResponse> cancel(CancelRequest request) {
    return unserved("Cancel");
  }

  @Override
  public CompletionStage<LeaseGrantResponse> leaseGrant(LeaseGrantRequest request) {
    return unserved("LeaseGrant");
  }

  @Override
  public CompletionStage<LeaseRevokeResponse> leaseRevoke(LeaseRevokeRequest request) {
    return unserved("LeaseRevoke");
  }

  @Override
  public Source<LeaseKeepAliveResponse, NotUsed> leaseKeepAlive(
      Source<LeaseKeepAliveRequest, NotUsed> requests) {
    return Source.failed(notServed("LeaseKeepAlive"));
  }

  @Override
  public CompletionStage<LeaseTimeToLiveResponse> leaseTimeToLive(LeaseTimeToLiveRequest request) {
    return unserved("LeaseTimeToLive");
  }

  @Override
  public CompletionStage<ListLeasesResponse> listLeases(ListLeasesRequest request) {
    return unserved("ListLeases");
  }

  @Override
  public Source<WatchResponse, NotUsed> watch(Source<WatchRequest, NotUsed> requests) {
    return Source.failed(notServed("Watch"));
  }

  @Override
  public Source<SessionResponse, NotUsed> session(Source<SessionRequest, NotUsed> frames) {
    return Source.failed(notServed("Session"));
  }

  @Override
  public CompletionStage<ListLocksResponse> listLocks(ListLocksRequest request) {
    return unserved("ListLocks");
  }

  @Override
  public CompletionStage<ForceUnlockResponse> forceUnlock(ForceUnlockRequest request) {
    return unserved("ForceUnlock");
  }

  @Override
  public CompletionStage<ValidateResponse> validate(ValidateRequest request) {
    return unserved("Validate");
  }

  /** Runs a call; whatever goes wrong in it becomes the call's status. */
  private <T> CompletionStage<T> answer(MessageLite request, Supplier<CompletionStage<T>> call) {
    CompletionStage<T> answer;
    try {
      RequestReader.requireSize(request.getSerializedSize());
      requireServing();
      answer = call.get();
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return answer.exceptionallyCompose(failure -> CompletableFuture.failedFuture(status(failure)));
  }

  private void requireServing() {
    if (!serving.isOn()) {
      throw serving.isLeaving()
          ? StatusMapping.error(Reason.REASON_LEAVING, "this node is stopping")
          : StatusMapping.error(
              Reason.REASON_NO_MAJORITY,
              "this node has not heard from a majority for too long, and may not act");
    }
  }

  private static StatusRuntimeException status(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof StatusRuntimeException refused) {
      return refused;
    } else if (cause instanceof TimeoutException) {
      return StatusMapping.error(
          Reason.REASON_INDETERMINATE, "the lock did not answer in time: the outcome is unknown");
    }
    log.error("A request failed by a fault of this node.", cause);
    return StatusMapping.error(Reason.REASON_INTERNAL, "a fault in the server; its log says more");
  }

  private static <T> CompletionStage<T> unserved(String method) {
    return CompletableFuture.failedFuture(notServed(method));
  }

  private static StatusRuntimeException notServed(String method) {
    return StatusMapping.error(
        Reason.REASON_NOT_SUPPORTED, method + " is not served by this version");
  }
}
