package io.holdfast.grpc;

import akka.NotUsed;
import akka.grpc.GrpcServiceException;
import akka.http.javadsl.model.HttpRequest;
import akka.japi.Pair;
import akka.stream.javadsl.Source;
import io.grpc.Status;
import io.grpc.health.v1.Health;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.holdfast.grpc.call.ServingState;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Answers the gRPC health protocol, for the node as a whole and for one service of a port. */
public final class HealthEndpoint implements Health {

  private static final Duration WATCH_INTERVAL = Duration.ofMillis(250);

  private final ServingState serving;
  private final Set<String> services;

  public HealthEndpoint(ServingState serving, String service) {
    this.serving = serving;
    services = Set.of("", service);
  }

  @Override
  public CompletionStage<HealthCheckResponse> check(HealthCheckRequest request) {
    if (!services.contains(request.getService())) {
      return CompletableFuture.failedFuture(
          new GrpcServiceException(
              Status.NOT_FOUND.withDescription("no service [" + request.getService() + "] here")));
    }
    return CompletableFuture.completedFuture(answer(status(request)));
  }

  @Override
  public Source<HealthCheckResponse, NotUsed> watch(HealthCheckRequest request) {
    return Source.tick(Duration.ZERO, WATCH_INTERVAL, request)
        .mapMaterializedValue(cancellable -> NotUsed.getInstance())
        .map(this::status)
        .statefulMap(
            () -> ServingStatus.UNRECOGNIZED,
            (last, now) ->
                Pair.create(now, last == now ? Optional.<ServingStatus>empty() : Optional.of(now)),
            last -> Optional.empty())
        .mapConcat(changed -> changed.stream().toList())
        .map(HealthEndpoint::answer);
  }

  /** True if it serves this request. */
  static boolean isFor(HttpRequest request) {
    return request.getUri().path().startsWith("/" + Health.name + "/");
  }

  private ServingStatus status(HealthCheckRequest request) {
    if (!services.contains(request.getService())) {
      return ServingStatus.SERVICE_UNKNOWN;
    }
    return serving.isOn() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  }

  private static HealthCheckResponse answer(ServingStatus status) {
    return HealthCheckResponse.newBuilder().setStatus(status).build();
  }
}
