package io.holdfast.grpc;

import akka.NotUsed;
import akka.actor.typed.ActorSystem;
import akka.grpc.GrpcProtocol.GrpcProtocolWriter;
import akka.grpc.javadsl.GrpcMarshalling;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.japi.function.Function;
import akka.stream.javadsl.Source;
import io.holdfast.grpc.call.Commands;
import io.holdfast.grpc.call.LockCalls;
import io.holdfast.grpc.frame.CheckedRequests;
import io.holdfast.grpc.frame.Failures;
import io.holdfast.grpc.guard.Caller;
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
 * Serves Lock, the one call with one answer that may take long. Who asked may go away meanwhile.
 *
 * <p>Akka shows that only to an answer that has begun. So one that takes long begins before it is
 * known, as a stream of one message, which is the same on the wire; what is decided at once is
 * answered at once.
 */
final class LockHandler implements Function<HttpRequest, CompletionStage<HttpResponse>> {

  private static final long serialVersionUID = 1;

  private static final String PATH = "/" + LockService.name + "/Lock";

  /** An answer that takes longer begins without it. */
  private static final Duration AT_ONCE = Duration.ofMillis(100);

  /** A connection that broke shows it within this time after its calls have ended. */
  private static final Duration UNTIL_BROKEN = Duration.ofMillis(250);

  /** What has no answer for so long, and may wait, is taken to wait in line. */
  private static final Duration WAITS_AFTER = Duration.ofSeconds(2);

  private final transient ActorSystem<?> system;
  private final transient Failures failures;
  private final transient Commands commands;
  private final transient Quota unread;
  private final transient LockCalls locks;

  LockHandler(
      ActorSystem<?> system, Failures failures, Commands commands, Quota unread, LockCalls locks) {
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
    Caller caller = request.getAttribute(Caller.KEY).orElseGet(Caller::unknown);
    Refusal.Builder refusal = commands.refusal(caller, /* goesFirst= */ false);
    if (refusal != null) {
      return CompletableFuture.completedFuture(failures.answer(refusal));
    }
    GrpcProtocolWriter writer = CheckedRequests.writer();
    try {
      LockRequest asked = CallHandler.read(request, LockService.Serializers.LockRequestSerializer);
      LockCalls.Call call = locks.lock(asked, caller);
      count(call, caller);
      return answer(call, caller, writer).exceptionally(failures::answer);
    } catch (Exception e) { // Akka's method declares none, and throws that of the parser
      return CompletableFuture.completedFuture(failures.answer(e));
    }
  }

  /** It counts until it is answered, or surely waits in line. */
  private void count(LockCalls.Call call, Caller caller) {
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
      LockCalls.Call call, Caller caller, GrpcProtocolWriter writer) {
    CompletionStage<HttpResponse> atOnce =
        told(call, caller)
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
                  first.complete(begun(call, caller, writer));
                  lookOnce(call, caller);
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
   * The answer, as far as there is room for it: calls may wait for long in numbers, and be told
   * together who holds the lock.
   */
  private CompletionStage<LockResponse> told(LockCalls.Call call, Caller caller) {
    return call.answer()
        .thenApply(
            answer -> {
              Quota.Full full =
                  answer.getAcquired() ? null : unread.full(caller, 0, /* reserve= */ 0);
              if (full != null) {
                throw StatusMapping.error(CheckedRequests.noRoom(full));
              }
              return answer;
            });
  }

  /** If the connection broke before the answer had begun, the answer does not show it. */
  private void lookOnce(LockCalls.Call call, Caller caller) {
    var unused =
        system
            .scheduler()
            .scheduleOnce(
                UNTIL_BROKEN,
                () -> {
                  if (!caller.isConnected()) {
                    call.leftAlone();
                  }
                },
                system.executionContext());
  }

  private HttpResponse begun(LockCalls.Call call, Caller caller, GrpcProtocolWriter writer) {
    Source<LockResponse, NotUsed> answer =
        Source.completionStage(told(call, caller))
            .watchTermination(
                (notUsed, ended) -> {
                  var unused =
                      ended.whenComplete(
                          (done, failure) -> {
                            if (!call.answer().isDone()) {
                              nobodyWaits(call, caller);
                            }
                          });
                  return notUsed;
                });
    return GrpcMarshalling.marshalStream(
        answer, LockService.Serializers.LockResponseSerializer, writer, system, failures.mapper());
  }

  private void nobodyWaits(LockCalls.Call call, Caller caller) {
    call.leftAlone();
    var unused =
        system
            .scheduler()
            .scheduleOnce(
                UNTIL_BROKEN,
                () -> {
                  if (caller.isConnected()) {
                    call.givenUp();
                  }
                },
                system.executionContext());
  }
}
