package io.holdfast.grpc.session;

import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.id.LeaseLife;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.v1.CancelRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.Reason;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.UnlockRequest;
import io.holdfast.wire.Renewal;

/** Translates the operations of one session into commands of locks. */
final class OperationTranslator {

  private final ClientId client;
  private final Lifetime.Shared session;

  OperationTranslator(ClientId client, Lifetime.Shared session) {
    this.client = client;
    this.session = session;
  }

  LeaseLife lease() {
    return session.on();
  }

  /** Returns the lifetime of the future holder: the session by default. */
  Lifetime life(LockRequest request) {
    refuseNames(request.getRequestId(), request.getClientId());
    return switch (request.getLifeCase()) {
      case TTL_MS -> new Lifetime.Own(RequestReader.ttl(request.getTtlMs()));
      case LIFE_NOT_SET -> session;
      case LEASE_ID -> throw new IllegalArgumentException("a lease is looked up first");
    };
  }

  LockCommand.Acquire acquire(long number, LockRequest request, Lifetime life) {
    refuseNames(request.getRequestId(), request.getClientId());
    return RequestReader.acquire(
        id(number), life, life instanceof Lifetime.Own ? lease().id() : null, request);
  }

  LockCommand.Release release(long number, UnlockRequest request) {
    refuseNames(request.getRequestId(), request.getClientId());
    FencingToken token = RequestReader.token(request.getFencingToken());
    long content = new ContentHash().and("unlock").and(token.value()).and(request.getAll()).value();
    return new LockCommand.Release(new RequestHeader(id(number), content), token, request.getAll());
  }

  LockCommand.Cancel cancel(CancelRequest request, long lowestOpen) {
    return switch (request.getTargetCase()) {
      case LOCK_NUMBER ->
          new LockCommand.Cancel(
              id(RequestReader.atLeast("lock_number", request.getLockNumber(), lowestOpen)));
      case LOCK_REQUEST_ID -> throw notInSession("lock_request_id");
      case TARGET_NOT_SET -> throw RequestReader.required("lock_number");
    };
  }

  Renewal renewal(LockKey key, RenewRequest request, long lowestOpen) {
    return switch (request.getTargetCase()) {
      case FENCING_TOKEN ->
          new Renewal.OfGrant(key, RequestReader.token(request.getFencingToken()));
      case LOCK_NUMBER -> {
        long number = RequestReader.atLeast("lock_number", request.getLockNumber(), 1);
        if (number < lowestOpen) {
          throw StatusMapping.error(
              Reason.REASON_REQUEST_NOT_FOUND,
              "lock_number [%d] is below lowest_open_number [%d]".formatted(number, lowestOpen));
        }
        yield new Renewal.OfRequest(key, id(number));
      }
      case LOCK_REQUEST_ID -> throw notInSession("lock_request_id");
      case TARGET_NOT_SET -> throw RequestReader.required("fencing_token");
    };
  }

  private RequestId id(long number) {
    return new RequestId.Numbered(client, lease(), number);
  }

  private static void refuseNames(String request, String client) {
    if (!request.isEmpty()) {
      throw notInSession("request_id");
    } else if (!client.isEmpty()) {
      throw notInSession("client_id");
    }
  }

  private static RuntimeException notInSession(String field) {
    return RequestReader.notAllowed(field, field + " is not allowed in a session");
  }
}
