package holdfast.grpc;

import akka.actor.typed.ActorSystem;
import akka.grpc.javadsl.ServerReflection;
import akka.grpc.javadsl.ServiceHandler;
import akka.http.javadsl.Http;
import akka.http.javadsl.ServerBinding;
import holdfast.config.ListenAddress;
import holdfast.coordination.AnswerFacts;
import holdfast.entity.LockShards;
import holdfast.v1.LockService;
import holdfast.v1.LockServiceHandlerFactory;
import io.grpc.health.v1.Health;
import io.grpc.health.v1.HealthHandlerFactory;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The port for clients: the lock service, health and reflection over one HTTP/2 server. */
public final class GrpcServer {

  private GrpcServer() {}

  /** Listens at the address. The stage fails if that cannot be had. */
  @SuppressWarnings("unchecked") // Akka's varargs of a generic type, which it only reads
  public static CompletionStage<ServerBinding> bind(
      ActorSystem<?> system, ListenAddress address, LockShards locks, AnswerFacts facts) {
    Serving serving = Serving.get(system);
    HealthEndpoint health = new HealthEndpoint(serving);
    return Http.get(system)
        .newServerAt(address.host(), address.port())
        .bind(
            ServiceHandler.concatOrNotFound(
                LockServiceHandlerFactory.partial(
                    new LockEndpoint(locks, facts, serving), LockService.name, system),
                HealthHandlerFactory.partial(health, Health.name, system),
                ServerReflection.create(
                    List.of(LockService.description, Health.description), system)));
  }
}
