package io.holdfast.server;

import akka.actor.ActorSystem;
import akka.http.javadsl.Http;
import akka.http.javadsl.ServerBinding;
import akka.http.javadsl.model.HttpMethods;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCode;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.settings.ServerSettings;
import akka.japi.function.Function;
import akka.management.javadsl.AkkaManagement;
import io.holdfast.config.member.ListenAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import scala.concurrent.duration.FiniteDuration;

/**
 * The port where orchestration asks: HTTP/1.1 and nothing else, GET and nothing else.
 *
 * <p>Akka Management brings the answers. Its own server would take the settings of all HTTP servers
 * of the actor system; this one has its own, and a bound on everything.
 */
final class Management {

  private static final int MAX_CONNECTIONS = 64;
  private static final int MAX_URI = 1_024;
  private static final int MAX_HEADERS = 32;
  private static final int MAX_HEADER_VALUE = 2_048;
  private static final long MAX_BODY_BYTES = 1_024;
  private static final FiniteDuration REQUEST_WITHIN = FiniteDuration.create(5, TimeUnit.SECONDS);
  private static final FiniteDuration IDLE_WITHIN = FiniteDuration.create(10, TimeUnit.SECONDS);

  /** Streams without an end, which a few could fill all connections with. */
  private static final String EVENTS = "/cluster/domain-events";

  private Management() {}

  /** Listens at the address. The stage fails if that cannot be had. */
  static CompletionStage<ServerBinding> bind(ActorSystem system, ListenAddress address) {
    Function<HttpRequest, CompletionStage<HttpResponse>> answers =
        AkkaManagement.get(system).getRoutes().seal().handler(system);
    Function<HttpRequest, CompletionStage<HttpResponse>> handler =
        request -> {
          if (request.method() != HttpMethods.GET) {
            return refuse(system, request, StatusCodes.METHOD_NOT_ALLOWED);
          }
          return request.getUri().path().startsWith(EVENTS)
              ? refuse(system, request, StatusCodes.NOT_FOUND)
              : answers.apply(request);
        };
    return Http.get(system)
        .newServerAt(address.host(), address.port())
        .withSettings(settings(system))
        .bind(handler);
  }

  private static ServerSettings settings(ActorSystem system) {
    ServerSettings usual = ServerSettings.create(system);
    return usual
        .withHttp2Enabled(false)
        .withMaxConnections(MAX_CONNECTIONS)
        .withPipeliningLimit(1)
        .withTimeouts(
            usual.getTimeouts().withRequestTimeout(REQUEST_WITHIN).withIdleTimeout(IDLE_WITHIN))
        .withParserSettings(
            usual
                .getParserSettings()
                .withMaxUriLength(MAX_URI)
                .withMaxHeaderCount(MAX_HEADERS)
                .withMaxHeaderValueLength(MAX_HEADER_VALUE)
                .withMaxContentLength(MAX_BODY_BYTES));
  }

  private static CompletionStage<HttpResponse> refuse(
      ActorSystem system, HttpRequest request, StatusCode status) {
    var unused = request.discardEntityBytes(system);
    return CompletableFuture.completedFuture(HttpResponse.create().withStatus(status));
  }
}
