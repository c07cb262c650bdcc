package io.holdfast.grpc.guard;

import akka.Done;
import akka.NotUsed;
import akka.actor.Cancellable;
import akka.actor.typed.ActorSystem;
import akka.dispatch.ExecutionContexts;
import akka.http.impl.engine.http2.Http2Blueprint;
import akka.http.impl.engine.server.HttpAttributes$;
import akka.http.impl.engine.server.MasterServerTerminator;
import akka.http.impl.engine.server.ServerTerminator;
import akka.http.javadsl.ServerBinding;
import akka.http.scaladsl.Http;
import akka.http.scaladsl.Http$;
import akka.http.scaladsl.model.HttpRequest;
import akka.http.scaladsl.settings.ServerSettings;
import akka.japi.function.Function;
import akka.stream.Attributes;
import akka.stream.StreamTcpException;
import akka.stream.javadsl.BidiFlow;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Keep;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.stream.javadsl.Tcp;
import akka.util.ByteString;
import io.holdfast.config.GuardSettings;
import io.holdfast.config.member.ListenAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.concurrent.ExecutionContext;
import scala.jdk.javaapi.FutureConverters;

/**
 * An HTTP/2 server with a {@link FrameGuard} in each connection and a limit of connections.
 *
 * <p>Akka HTTP's own server offers no place for a stage between network and frames. This class
 * assembles the same parts, with the same additions. A connection counts until its socket is
 * closed.
 */
public final class GuardedServer {

  private static final Logger log = LoggerFactory.getLogger("io.holdfast.grpc");

  /**
   * Turns off the stack traces of stages that fail because of a client; the guard logs the reason
   * once.
   */
  private static final Attributes FAULTS_OF_CLIENTS =
      Attributes.createLogLevels(
          Attributes.logLevelDebug(), Attributes.logLevelDebug(), Attributes.logLevelOff());

  /**
   * Resets a connection. After a normal close the kernel would keep it until the client closes it
   * too.
   */
  private static final Source<ByteString, NotUsed> REFUSED =
      Source.failed(new StreamTcpException("the connection is refused"));

  private final ActorSystem<?> system;
  private final GuardSettings bounds;
  private final ServerSettings settings;
  private final ExecutionContext threads;
  private final ServingDelay delay;
  private final MasterServerTerminator connections;
  private final FailSafeHandler answering;
  private final RateLimitedAkkaLog failures;
  private final Quota bytes;
  private final Quota held = Quota.ofHeap(Quota.Kind.HELD);
  private final OpenConnections open;
  private final ClientAddress.Registry addresses = new ClientAddress.Registry();
  private final RateLimitedLog endings = new RateLimitedLog(System::nanoTime, log::warn);

  private GuardedServer(
      ActorSystem<?> system,
      GuardSettings bounds,
      int maxConnections,
      Quota bytes,
      Function<
              akka.http.javadsl.model.HttpRequest,
              CompletionStage<akka.http.javadsl.model.HttpResponse>>
          handler) {
    this.system = system;
    this.bounds = bounds;
    this.settings = HttpLayers.settings(bounds);
    this.threads = system.classicSystem().dispatcher();
    this.delay = new ServingDelay(threads::execute, System::nanoTime);
    this.connections = new MasterServerTerminator(system.classicSystem().log());
    this.open = new OpenConnections(maxConnections, bounds.maxConnectionsPerAddress());
    this.bytes = bytes;
    RateLimitedLog complaints = new RateLimitedLog(System::nanoTime, log::warn);
    this.answering = new FailSafeHandler(handler, complaints);
    this.failures = new RateLimitedAkkaLog(complaints);
  }

  /**
   * Listens at the address. The stage fails if the address is not available.
   *
   * @param security null for clear text
   * @param bytes the quota of bytes of unread answers
   */
  public static CompletionStage<ServerBinding> bind(
      ActorSystem<?> system,
      ListenAddress address,
      @Nullable ServerSecurity security,
      GuardSettings bounds,
      Quota bytes,
      Function<
              akka.http.javadsl.model.HttpRequest,
              CompletionStage<akka.http.javadsl.model.HttpResponse>>
          handler) {
    int maxConnections = FileDescriptors.connections(bounds.maxConnections());
    if (maxConnections == 0) {
      return CompletableFuture.failedFuture(
          new IOException("the process has no file descriptors left for connections"));
    } else if (maxConnections < bounds.maxConnections()) {
      log.warn(
          "max-connections [{}] is lowered to [{}]: the process may have no more file descriptors",
          bounds.maxConnections(),
          maxConnections);
    }
    return new GuardedServer(system, bounds, maxConnections, bytes, handler)
        .bind(address, security);
  }

  private CompletionStage<ServerBinding> bind(
      ListenAddress address, @Nullable ServerSecurity security) {
    return Tcp.get(system)
        .bind(
            address.host(),
            address.port(),
            settings.backlog(),
            settings.getSocketOptions(),
            /* halfClose= */ false,
            Optional.empty())
        .to(Sink.foreach(connection -> accept(connection, security)))
        .run(system)
        .thenApply(this::binding);
  }

  private ServerBinding binding(Tcp.ServerBinding bound) {
    Cancellable measuring =
        system
            .classicSystem()
            .scheduler()
            .scheduleWithFixedDelay(
                ServingDelay.MEASURE_EVERY,
                ServingDelay.MEASURE_EVERY,
                delay::measure,
                ExecutionContexts.fromExecutor(Runnable::run));
    return new ServerBinding(
        new Http.ServerBinding(
            bound.localAddress(),
            () -> FutureConverters.asScala(bound.unbind()),
            within -> {
              measuring.cancel();
              return connections.terminate(within, threads);
            }));
  }

  private void accept(Tcp.IncomingConnection connection, @Nullable ServerSecurity security) {
    InetSocketAddress remote = connection.remoteAddress();
    String refusal = open.add(remote.getAddress(), System.nanoTime());
    if (refusal != null) {
      endings.ended(remote, refusal);
      var unused = connection.handleWith(Flow.fromSinkAndSource(Sink.ignore(), REFUSED), system);
      return;
    }
    CompletableFuture<Done> over = new CompletableFuture<>();
    var unused = over.thenRun(() -> open.remove(remote.getAddress(), System.nanoTime()));
    try {
      serve(connection, security, over);
    } catch (RuntimeException e) {
      // Only this connection fails.
      over.complete(Done.getInstance());
      endings.ended(remote, "it could not be served: " + e);
    }
  }

  private void serve(
      Tcp.IncomingConnection connection,
      @Nullable ServerSecurity security,
      CompletableFuture<Done> over) {
    InetSocketAddress remote = connection.remoteAddress();
    ConnectionCloser end = new ConnectionCloser(() -> over.complete(Done.getInstance()));
    Flow<ByteString, ByteString, NotUsed> network = BidiFlow.fromGraph(end).join(connection.flow());
    ClientConnection caller = addresses.connected(remote.getAddress());
    UnreadAnswers unread = new UnreadAnswers(bytes, caller);
    FrameGuard guard =
        new FrameGuard(
            bounds,
            now -> caller.address().pace().reserve(delay.nanos(), now),
            unread,
            new HeldCalls(held, caller),
            System::nanoTime,
            violation -> ended(remote, violation));
    ServerTerminator terminator =
        requests(caller, unread)
            .addAttributes(remoteAddress(remote))
            .join(
                BidiFlow.fromGraph(guard)
                    .join(security == null ? network : security.tls().join(network)))
            .addAttributes(
                Http$.MODULE$.cancellationStrategyAttributeForDelay(
                    settings.streamCancellationDelay()))
            .addAttributes(FAULTS_OF_CLIENTS)
            .run(system);
    connections.registerConnection(terminator, threads);
    var unused =
        over.thenRun(
            () -> {
              addresses.left(caller);
              connections.removeConnection(terminator);
            });
  }

  private void ended(InetSocketAddress remote, Violation violation) {
    if (violation.kind() != Violation.Kind.IDLE) {
      endings.ended(remote, violation.reason());
    }
  }

  private Attributes remoteAddress(InetSocketAddress remote) {
    return settings.remoteAddressAttribute()
        ? HttpAttributes$.MODULE$.remoteAddress(remote)
        : Attributes.none();
  }

  private Flow<ByteString, ByteString, ServerTerminator> requests(
      ClientConnection caller, UnreadAnswers unread) {
    return Flow.fromGraph(
            Http2Blueprint.handleWithStreamIdHeader(
                settings.http2Settings().maxConcurrentStreams(),
                (HttpRequest request) ->
                    answering.answer(
                        (HttpRequest) request.addAttribute(ClientConnection.KEY, caller)),
                threads))
        .joinMat(
            HttpLayers.http2(
                settings,
                failures,
                Http$.MODULE$.apply(system.classicSystem()).dateHeaderRendering(),
                unread),
            Keep.right());
  }
}
