package io.holdfast.grpc;

import akka.actor.typed.ActorSystem;
import akka.grpc.ProtobufSerializer;
import akka.grpc.javadsl.GrpcMarshalling;
import akka.http.javadsl.model.HttpEntity;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.japi.function.Function;
import com.google.protobuf.MessageLite;
import io.holdfast.grpc.call.CommandQuota;
import io.holdfast.grpc.frame.Deframer;
import io.holdfast.grpc.frame.FailureResponses;
import io.holdfast.grpc.frame.RequestChecker;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.v1.LockService;
import io.holdfast.v1.LockService.Serializers;
import io.holdfast.v1.Refusal;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * Serves the unary calls of the lock service, except Lock. It replaces the handler of Akka gRPC
 * because it needs the client's connection, and counts each call against the {@link CommandQuota}.
 */
final class CallHandler implements Function<HttpRequest, CompletionStage<HttpResponse>> {

  private static final long serialVersionUID = 1;

  private static final String PREFIX = "/" + LockService.name + "/";

  /**
   * A method of the service.
   *
   * @param goesFirst true if its callers are holders or waiters, who have priority
   * @param mayBeLost true if the client can ask again for the content of this answer
   */
  private record UnaryCall<I, O extends MessageLite>(
      ProtobufSerializer<I> reads,
      ProtobufSerializer<O> writes,
      boolean goesFirst,
      Predicate<O> mayBeLost,
      BiFunction<I, ClientConnection, CompletionStage<O>> serves) {}

  private final transient ActorSystem<?> system;
  private final transient FailureResponses failures;
  private final transient CommandQuota commands;
  private final transient Quota unread;
  private final transient Map<String, UnaryCall<?, ?>> calls = new HashMap<>();

  CallHandler(
      ActorSystem<?> system,
      FailureResponses failures,
      CommandQuota commands,
      Quota unread,
      LockEndpoint to) {
    this.system = system;
    this.failures = failures;
    this.unread = unread;
    this.commands = commands;
    usual(
        "TryLock",
        Serializers.LockRequestSerializer,
        Serializers.LockResponseSerializer,
        answer -> !answer.getAcquired(),
        to::tryLock);
    first(
        "Unlock",
        Serializers.UnlockRequestSerializer,
        Serializers.UnlockResponseSerializer,
        to::unlock);
    first(
        "Renew",
        Serializers.RenewRequestSerializer,
        Serializers.RenewResponseSerializer,
        (request, caller) -> to.renew(request));
    first(
        "Cancel",
        Serializers.CancelRequestSerializer,
        Serializers.CancelResponseSerializer,
        to::cancel);
    first(
        "ForceUnlock",
        Serializers.ForceUnlockRequestSerializer,
        Serializers.ForceUnlockResponseSerializer,
        to::forceUnlock);
    usual(
        "LeaseGrant",
        Serializers.LeaseGrantRequestSerializer,
        Serializers.LeaseGrantResponseSerializer,
        answer -> false,
        to::leaseGrant);
    first(
        "LeaseRevoke",
        Serializers.LeaseRevokeRequestSerializer,
        Serializers.LeaseRevokeResponseSerializer,
        to::leaseRevoke);
    read(
        "LeaseTimeToLive",
        Serializers.LeaseTimeToLiveRequestSerializer,
        Serializers.LeaseTimeToLiveResponseSerializer,
        to::leaseTimeToLive);
    read(
        "ListLeases",
        Serializers.ListLeasesRequestSerializer,
        Serializers.ListLeasesResponseSerializer,
        to::listLeases);
    read(
        "GetLock",
        Serializers.GetLockRequestSerializer,
        Serializers.GetLockResponseSerializer,
        to::getLock);
    read(
        "ListLocks",
        Serializers.ListLocksRequestSerializer,
        Serializers.ListLocksResponseSerializer,
        to::listLocks);
    read(
        "Validate",
        Serializers.ValidateRequestSerializer,
        Serializers.ValidateResponseSerializer,
        to::validate);
  }

  private <I, O extends MessageLite> void usual(
      String method,
      ProtobufSerializer<I> reads,
      ProtobufSerializer<O> writes,
      Predicate<O> mayBeLost,
      BiFunction<I, ClientConnection, CompletionStage<O>> serves) {
    calls.put(
        PREFIX + method, new UnaryCall<>(reads, writes, /* goesFirst= */ false, mayBeLost, serves));
  }

  private <I, O extends MessageLite> void read(
      String method,
      ProtobufSerializer<I> reads,
      ProtobufSerializer<O> writes,
      java.util.function.Function<I, CompletionStage<O>> serves) {
    usual(method, reads, writes, answer -> true, (request, caller) -> serves.apply(request));
  }

  private <I, O extends MessageLite> void first(
      String method,
      ProtobufSerializer<I> reads,
      ProtobufSerializer<O> writes,
      BiFunction<I, ClientConnection, CompletionStage<O>> serves) {
    calls.put(
        PREFIX + method,
        new UnaryCall<>(reads, writes, /* goesFirst= */ true, answer -> false, serves));
  }

  /** True if it serves this request. */
  boolean isFor(HttpRequest request) {
    return calls.containsKey(request.getUri().path());
  }

  /** True if the request is of a holder or a waiter, and has priority. */
  boolean goesFirst(HttpRequest request) {
    UnaryCall<?, ?> call = calls.get(request.getUri().path());
    return call != null && call.goesFirst();
  }

  /** Serves a request that is checked and complete. */
  @Override
  public CompletionStage<HttpResponse> apply(HttpRequest request) {
    return answer(request, Objects.requireNonNull(calls.get(request.getUri().path())));
  }

  private <I, O extends MessageLite> CompletionStage<HttpResponse> answer(
      HttpRequest request, UnaryCall<I, O> call) {
    ClientConnection caller =
        request.getAttribute(ClientConnection.KEY).orElseGet(ClientConnection::unknown);
    Refusal.Builder refusal = commands.refusal(caller, call.goesFirst());
    if (refusal != null) {
      return CompletableFuture.completedFuture(failures.answer(refusal));
    }
    I asked;
    try {
      asked = read(request, call.reads());
    } catch (Exception e) { // Akka's method declares none, and throws that of the parser
      return CompletableFuture.completedFuture(failures.answer(e));
    }
    return commands
        .run(caller, () -> call.serves().apply(asked, caller))
        .handle(
            (answer, failure) ->
                failure == null ? answered(answer, call, caller) : failures.answer(failure));
  }

  private <O extends MessageLite> HttpResponse answered(
      O answer, UnaryCall<?, O> call, ClientConnection caller) {
    if (call.mayBeLost().test(answer)) {
      Quota.Full full = unread.full(caller, answer.getSerializedSize(), /* reserve= */ 0);
      if (full != null) {
        return failures.answer(RequestChecker.noRoom(full));
      }
    }
    return GrpcMarshalling.marshal(
        answer, call.writes(), RequestChecker.writer(), system, failures.mapper());
  }

  /** Decodes the message of a checked request. */
  static <I> I read(HttpRequest request, ProtobufSerializer<I> reads) {
    HttpEntity.Strict whole = (HttpEntity.Strict) request.entity();
    return reads.deserialize(whole.getData().drop(Deframer.PREFIX));
  }
}
