package io.holdfast.grpc.guard;

import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.StatusCodes;
import akka.http.scaladsl.model.HttpResponse;
import akka.japi.function.Function;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;

/** A request handler that always answers: with status 500 if the wrapped handler fails. */
final class FailSafeHandler {

  private final Function<HttpRequest, CompletionStage<akka.http.javadsl.model.HttpResponse>>
      handler;

  private final RateLimitedLog complaints;

  FailSafeHandler(
      Function<HttpRequest, CompletionStage<akka.http.javadsl.model.HttpResponse>> handler,
      RateLimitedLog complaints) {
    this.handler = handler;
    this.complaints = complaints;
  }

  Future<HttpResponse> answer(HttpRequest request) {
    CompletionStage<akka.http.javadsl.model.HttpResponse> answer;
    try {
      answer = handler.apply(request);
    } catch (Exception e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return FutureConverters.asScala(
        answer.handle(
            (response, failure) -> (HttpResponse) (failure == null ? response : failed(failure))));
  }

  private akka.http.javadsl.model.HttpResponse failed(Throwable failure) {
    complaints.add("a request could not be answered: " + failure);
    return akka.http.javadsl.model.HttpResponse.create()
        .withStatus(StatusCodes.INTERNAL_SERVER_ERROR);
  }
}
