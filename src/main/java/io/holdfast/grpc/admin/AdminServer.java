package io.holdfast.grpc.admin;

import akka.actor.typed.ActorSystem;
import akka.grpc.javadsl.ServerReflection;
import akka.grpc.javadsl.ServiceHandler;
import akka.http.javadsl.ServerBinding;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.japi.function.Function;
import akka.stream.Materializer;
import akka.stream.SystemMaterializer;
import io.grpc.health.v1.Health;
import io.grpc.health.v1.HealthHandlerFactory;
import io.holdfast.config.GuardSettings;
import io.holdfast.config.ListenAddress;
import io.holdfast.grpc.GrpcServer;
import io.holdfast.grpc.HealthEndpoint;
import io.holdfast.grpc.call.Serving;
import io.holdfast.grpc.frame.CheckedRequests;
import io.holdfast.grpc.frame.Failures;
import io.holdfast.grpc.guard.GuardedServer;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.guard.ServerSecurity;
import io.holdfast.v1.AdminService;
import io.holdfast.v1.AdminServiceHandlerFactory;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The port for operators: administration, health and reflection, away from the clients' port. */
public final class AdminServer {

  /** Operators are few, and the file descriptors are for clients. */
  private static final int MAX_CONNECTIONS = 64;

  private AdminServer() {}

  /**
   * Listens at the address. The stage fails if that cannot be had.
   *
   * @param security of the connections; null for clear text
   */
  @SuppressWarnings("unchecked") // Akka's varargs of a generic type, which it only reads
  public static CompletionStage<ServerBinding> bind(
      ActorSystem<?> system,
      ListenAddress address,
      @Nullable ServerSecurity security,
      GuardSettings guard,
      AdminEndpoint admin) {
    Failures failures = new Failures(system, admin::header);
    HealthEndpoint health = new HealthEndpoint(Serving.get(system), AdminService.name);
    Materializer materializer = SystemMaterializer.get(system).materializer();
    Function<HttpRequest, CompletionStage<HttpResponse>> calls =
        ServiceHandler.concatOrNotFound(
            AdminServiceHandlerFactory.partial(
                admin, AdminService.name, materializer, failures.mapper(), system),
            HealthHandlerFactory.partial(
                health, Health.name, materializer, failures.mapper(), system),
            ServerReflection.create(List.of(AdminService.description, Health.description), system));
    Quota bytes = GrpcServer.bytes(Quota.Kind.BYTES);
    Quota unread = GrpcServer.bytes(Quota.Kind.UNREAD);
    return GuardedServer.bind(
        system,
        address,
        security,
        guard.withConnections(MAX_CONNECTIONS),
        unread,
        new CheckedRequests(
            system, failures, bytes, unread, request -> true, request -> false, calls, calls));
  }
}
