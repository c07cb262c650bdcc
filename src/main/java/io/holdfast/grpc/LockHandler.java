package io.holdfast.grpc;

import akka.NotUsed;
import akka.actor.typed.ActorSystem;
import akka.grpc.GrpcProtocol.GrpcProtocolWriter;
import akka.grpc.javadsl.GrpcMarshalling;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.japi.function.Function;
import akka.stream.javadsl.Source;
import io.holdfast.grpc.call.CommandQuota;
import io.holdfast.grpc.call.LockCalls;
import io.holdfast.grpc.frame.FailureResponses;
import io.holdfast.grpc.frame.RequestChecker;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockService;
import io.holdfast.v1.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Serves Lock, the only unary call that may take long. Its client may disconnect or cancel before
 * the answer.
 *
 * <p>Akka reports that only for a response that has started. So a slow call starts its response
 * before the answer is known, as a stream of one message; the bytes on the wire are the same. A
 * fast call is answered as a whole.
 */
final class LockHandler implements Function<HttpRequest, CompletionStage<HttpResponse>> {

  private static final long serialVersionUID = 1;

  private static final String PATH = "/" + LockService.name + "/Lock";

  /** After this time the response starts without the answer. */
  private static final Duration AT_ONCE = Duration.ofMillis(100);

  /** Within this time after the end of its calls a broken connection is recognized as such. */
  private static final Duration UNTIL_BROKEN = Duration.ofMillis(250);

  /** A call that may wait, and has no answer after this time, is assumed to wait in the queue. */
  private static final Duration WAITS_AFTER = Duration.ofSeconds(2);

  private final transient ActorSystem<?> system;
  private final transient FailureResponses failures;
  private final transient CommandQuota commands;
  private final transient Quota unread;
  private final transient LockCalls locks;

  LockHandler(
      ActorSystem<?> system,
      FailureResponses failures,
      CommandQuota commands,
      Quota unread,
      LockCalls locks) {
    this.failures = failures;
    this.system = system;
    this.commands = commands;
    this.unread = unread;
    this.locks = locks;
  }

  /** True if it serves this request. */
  static boolean isFor(HttpRequest request) {
    return request.getUri().path().equals(PATH);
  }

  @Override
  public CompletionStage<HttpResponse> apply(HttpRequest request) {
    ClientConnection caller =
        request.getAttribute(ClientConnection.KEY).orElseGet(ClientConnection::unknown);
    Refusal.Builder refusal = commands.refusal(caller, /* goesFirst= */ false);
    if (refusal != null) {
      return CompletableFuture.completedFuture(failures.answer(refusal));
    }
    GrpcProtocolWriter writer = RequestChecker.writer();
    try {
      LockRequest asked = CallHandler.read(request, LockService.Serializers.LockRequestSerializer);
      LockCalls.LockCall call = locks.lock(asked, caller);
      count(call, caller);
      return answer(call, caller, writer).exceptionally(failures::answer);
    } catch (Exception e) { // Akka's method declares none, and throws that of the parser
      return CompletableFuture.completedFuture(failures.answer(e));
    }
  }

  /** Counts the call until it is answered or is assumed to wait in the queue. */
  private void count(LockCalls.LockCall call, ClientConnection caller) {
    if (call.answer().isDone()) {
      return;
    }
    commands.count(caller, 1);
    CompletableFuture<?> counted =
        call.mayWait()
            ? call.answer()
                .<Object>thenApply(answer -> answer)
                .completeOnTimeout(call, WAITS_AFTER.toMillis(), TimeUnit.MILLISECONDS)
            : call.answer();
    var unused = counted.whenComplete((answer, failure) -> commands.answered(caller, failure));
  }

  private CompletionStage<HttpResponse> answer(
      LockCalls.LockCall call, ClientConnection caller, GrpcProtocolWriter writer) {
    CompletionStage<HttpResponse> atOnce =
        answerIfRoom(call, caller)
            .thenApply(
                answer ->
                    GrpcMarshalling.marshal(
                        answer,
                        LockService.Serializers.LockResponseSerializer,
                        writer,
                        system,
                        failures.mapper()));
    if (call.answer().isDone()) {
      return atOnce;
    }
    CompletableFuture<HttpResponse> first = new CompletableFuture<>();
    var timer =
        system
            .scheduler()
            .scheduleOnce(
                AT_ONCE,
                () -> {
                  first.complete(startResponse(call, caller, writer));
                  checkConnectionOnce(call, caller);
                },
                system.executionContext());
    var unused =
        atOnce.whenComplete(
            (response, failure) -> {
              timer.cancel();
              if (failure == null) {
                first.complete(response);
              } else {
                first.completeExceptionally(failure);
              }
            });
    return first;
  }

  /**
   * Returns the answer, or a refusal if there is no room for it. Many waiting calls may be answered
   * at the same time, each with the holder of the lock.
   */
  private CompletionStage<LockResponse> answerIfRoom(
      LockCalls.LockCall call, ClientConnection caller) {
    return call.answer()
        .thenApply(
            answer -> {
              Quota.Full full =
                  answer.getAcquired() ? null : unread.full(caller, 0, /* reserve= */ 0);
              if (full != null) {
                throw StatusMapping.error(RequestChecker.noRoom(full));
              }
              return answer;
            });
  }

  /**
   * Checks the connection once: a break before the start of the response is not reported otherwise.
   */
  private void checkConnectionOnce(LockCalls.LockCall call, ClientConnection caller) {
    var unused =
        system
            .scheduler()
            .scheduleOnce(
                UNTIL_BROKEN,
                () -> {
                  if (!caller.isConnected()) {
                    call.onConnectionLost();
                  }
                },
                system.executionContext());
  }

  private HttpResponse startResponse(
      LockCalls.LockCall call, ClientConnection caller, GrpcProtocolWriter writer) {
    Source<LockResponse, NotUsed> answer =
        Source.completionStage(answerIfRoom(call, caller))
            .watchTermination(
                (notUsed, ended) -> {
                  var unused =
                      ended.whenComplete(
                          (done, failure) -> {
                            if (!call.answer().isDone()) {
                              onClientGone(call, caller);
                            }
                          });
                  return notUsed;
                });
    return GrpcMarshalling.marshalStream(
        answer, LockService.Serializers.LockResponseSerializer, writer, system, failures.mapper());
  }

  private void onClientGone(LockCalls.LockCall call, ClientConnection caller) {
    call.onConnectionLost();
    var unused =
        system
            .scheduler()
            .scheduleOnce(
                UNTIL_BROKEN,
                () -> {
                  if (caller.isConnected()) {
                    call.onCancelled();
                  }
                },
                system.executionContext());
  }
}
