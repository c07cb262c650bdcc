package holdfast.grpc.guard;

import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.StatusCodes;
import akka.http.scaladsl.model.HttpResponse;
import akka.japi.function.Function;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;

/** A handler of requests that always answers: with status 500 when the one behind it fails. */
final class Answering {

  private static final Logger log = LoggerFactory.getLogger("holdfast.grpc");

  private final Function<HttpRequest, CompletionStage<akka.http.javadsl.model.HttpResponse>>
      handler;

  Answering(Function<HttpRequest, CompletionStage<akka.http.javadsl.model.HttpResponse>> handler) {
    this.handler = handler;
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

  private static akka.http.javadsl.model.HttpResponse failed(Throwable failure) {
    log.error("a request could not be answered", failure);
    return akka.http.javadsl.model.HttpResponse.create()
        .withStatus(StatusCodes.INTERNAL_SERVER_ERROR);
  }
}
