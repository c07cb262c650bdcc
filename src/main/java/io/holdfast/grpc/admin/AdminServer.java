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
import io.holdfast.config.member.ListenAddress;
import io.holdfast.grpc.HealthEndpoint;
import io.holdfast.grpc.call.ServingState;
import io.holdfast.grpc.frame.FailureResponses;
import io.holdfast.grpc.frame.RequestChecker;
import io.holdfast.grpc.guard.GuardedServer;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.guard.ServerSecurity;
import io.holdfast.v1.AdminService;
import io.holdfast.v1.AdminServiceHandlerFactory;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The gRPC server for operators: administration, health and reflection on a port of their own. */
public final class AdminServer {

  /** The maximum of connections: operators are few, and file descriptors are for clients. */
  private static final int MAX_CONNECTIONS = 64;

  private AdminServer() {}

  /**
   * Listens at the address. The stage fails if the address is not available.
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
    FailureResponses failures = new FailureResponses(system, admin::header);
    HealthEndpoint health = new HealthEndpoint(ServingState.get(system), AdminService.name);
    Materializer materializer = SystemMaterializer.get(system).materializer();
    Function<HttpRequest, CompletionStage<HttpResponse>> calls =
        ServiceHandler.concatOrNotFound(
            AdminServiceHandlerFactory.partial(
                admin, AdminService.name, materializer, failures.mapper(), system),
            HealthHandlerFactory.partial(
                health, Health.name, materializer, failures.mapper(), system),
            ServerReflection.create(List.of(AdminService.description, Health.description), system));
    Quota bytes = Quota.ofHeap(Quota.Kind.BYTES);
    Quota unread = Quota.ofHeap(Quota.Kind.UNREAD);
    return GuardedServer.bind(
        system,
        address,
        security,
        guard.withConnections(MAX_CONNECTIONS),
        unread,
        new RequestChecker(
            system, failures, bytes, unread, request -> true, request -> false, calls, calls));
  }
}
