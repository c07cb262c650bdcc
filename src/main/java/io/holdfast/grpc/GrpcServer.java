package io.holdfast.grpc;

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
import io.holdfast.config.LockLimits;
import io.holdfast.config.SessionStreamSettings;
import io.holdfast.config.member.ListenAddress;
import io.holdfast.coordination.AnswerFacts;
import io.holdfast.grpc.call.NodeQuotas;
import io.holdfast.grpc.call.ServingState;
import io.holdfast.grpc.frame.FailureResponses;
import io.holdfast.grpc.frame.RequestChecker;
import io.holdfast.grpc.guard.GuardedServer;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.guard.ServerSecurity;
import io.holdfast.grpc.watch.WatchEndpoint;
import io.holdfast.hosting.LockQueries;
import io.holdfast.journal.LeaseEndFeed;
import io.holdfast.sharding.LockShards;
import io.holdfast.v1.LockService;
import io.holdfast.v1.LockServiceHandlerFactory;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The port for clients: locks, health and reflection over one HTTP/2 server. */
public final class GrpcServer {

  /** The part of the heap for idle streams: one in so many. */
  private static final int STREAMS_PART = 4;

  /** The heap of one idle stream, in bytes. */
  private static final int BYTES_OF_STREAM = 40 << 10;

  private GrpcServer() {}

  /**
   * Listens at the address. The stage fails if the address is not available.
   *
   * @param security of the connections; null for clear text
   * @param leaseEnds registers a listener for the ends of leases
   */
  @SuppressWarnings("unchecked") // Akka's varargs of a generic type, which it only reads
  public static CompletionStage<ServerBinding> bind(
      ActorSystem<?> system,
      ListenAddress address,
      @Nullable ServerSecurity security,
      GuardSettings guard,
      SessionStreamSettings sessions,
      LockLimits limits,
      LockShards locks,
      LockQueries reads,
      AnswerFacts facts,
      Consumer<LeaseEndFeed.Listener> leaseEnds,
      WatchEndpoint watches) {
    ServingState serving = ServingState.get(system);
    Materializer materializer = SystemMaterializer.get(system).materializer();
    Quota bytes = Quota.ofHeap(Quota.Kind.BYTES);
    Quota unread = Quota.ofHeap(Quota.Kind.UNREAD);
    NodeQuotas quotas =
        NodeQuotas.of(sessions, limits, unread, locks, reads, system.executionContext());
    HealthEndpoint health = new HealthEndpoint(serving, LockService.name);
    LockEndpoint endpoint =
        new LockEndpoint(system, quotas, sessions, locks, reads, facts, serving, watches);
    leaseEnds.accept(endpoint.sessions());
    leaseEnds.accept(quotas.leases());
    FailureResponses failures = new FailureResponses(system, endpoint::header);
    locks.tellMoves(endpoint.sessions()::moved);
    LockHandler lock =
        new LockHandler(system, failures, quotas.commands(), unread, endpoint.lockCalls());
    CallHandler ours = new CallHandler(system, failures, quotas.commands(), unread, endpoint);
    Quota many =
        new Quota(
            Quota.Kind.STREAMS,
            streams(sessions.maxStreams(), Runtime.getRuntime().maxMemory()),
            guard.maxStreams());
    Quota frames = Quota.ofHeap(Quota.Kind.FRAMES);
    StreamHandler streams =
        new StreamHandler(system, failures, many, bytes, frames, unread, endpoint, health);
    Function<HttpRequest, CompletionStage<HttpResponse>> others =
        ServiceHandler.concatOrNotFound(
            LockServiceHandlerFactory.partial(
                endpoint, LockService.name, materializer, failures.mapper(), system),
            HealthHandlerFactory.partial(
                health, Health.name, materializer, failures.mapper(), system),
            ServerReflection.create(List.of(LockService.description, Health.description), system));
    return GuardedServer.bind(
        system,
        address,
        security,
        guard,
        unread,
        new RequestChecker(
            system,
            failures,
            bytes,
            unread,
            request -> ours.goesFirst(request) || HealthEndpoint.isFor(request),
            streams::isFor,
            streams,
            request -> {
              if (LockHandler.isFor(request)) {
                return lock.apply(request);
              } else if (ours.isFor(request)) {
                return ours.apply(request);
              }
              return RequestChecker.isReflection(request)
                  ? streams.others(request, others)
                  : others.apply(request);
            }));
  }

  /** Returns the number of streams that the heap has room for, at most {@code most}. */
  static long streams(int most, long heap) {
    return Math.min(most, heap / STREAMS_PART / BYTES_OF_STREAM);
  }
}
