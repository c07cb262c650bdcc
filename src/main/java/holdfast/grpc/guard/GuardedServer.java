package holdfast.grpc.guard;

import akka.actor.typed.ActorSystem;
import akka.http.impl.engine.http2.Http2Blueprint;
import akka.http.impl.engine.http2.NoOpTelemetry$;
import akka.http.impl.engine.server.HttpAttributes$;
import akka.http.impl.engine.server.MasterServerTerminator;
import akka.http.impl.engine.server.ServerTerminator;
import akka.http.javadsl.ServerBinding;
import akka.http.scaladsl.Http;
import akka.http.scaladsl.Http$;
import akka.http.scaladsl.model.HttpRequest;
import akka.http.scaladsl.settings.ServerSettings;
import akka.japi.Pair;
import akka.japi.function.Function;
import akka.stream.Attributes;
import akka.stream.IgnoreComplete$;
import akka.stream.javadsl.BidiFlow;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Keep;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.stream.javadsl.Tcp;
import akka.util.ByteString;
import holdfast.config.GuardSettings;
import holdfast.config.ListenAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.concurrent.ExecutionContext;
import scala.jdk.javaapi.FutureConverters;

/**
 * An HTTP/2 server behind a guard at each of its connections. It speaks nothing else, and has no
 * more connections at a time than its bound.
 *
 * <p>Akka HTTP's own server has no place for a stage between network and frames: this one joins the
 * same parts, and adds what Akka's adds to them.
 */
public final class GuardedServer {

  private static final Logger log = LoggerFactory.getLogger("holdfast.grpc");

  private final ActorSystem<?> system;
  private final GuardSettings bounds;
  private final ServerSettings settings;
  private final ExecutionContext threads;
  private final MasterServerTerminator connections;
  private final Answering answering;
  private final akka.stream.scaladsl.BidiFlow<
          akka.http.scaladsl.model.HttpResponse,
          ByteString,
          ByteString,
          HttpRequest,
          ServerTerminator>
      http2;
  private final AtomicInteger open = new AtomicInteger();
  private final Complaints complaints = new Complaints(System::nanoTime, log::warn);

  private GuardedServer(
      ActorSystem<?> system,
      GuardSettings bounds,
      Function<
              akka.http.javadsl.model.HttpRequest,
              CompletionStage<akka.http.javadsl.model.HttpResponse>>
          handler) {
    this.system = system;
    this.bounds = bounds;
    ServerSettings usual =
        (ServerSettings) akka.http.javadsl.settings.ServerSettings.create(system.classicSystem());
    this.settings =
        usual.withHttp2Settings(usual.http2Settings().withMaxConcurrentStreams(bounds.maxCalls()));
    this.threads = system.classicSystem().dispatcher();
    this.connections = new MasterServerTerminator(system.classicSystem().log());
    this.answering = new Answering(handler);
    this.http2 =
        Http2Blueprint.serverStack(
            settings,
            system.classicSystem().log(),
            Http2Blueprint.serverStack$default$3(),
            /* upgraded= */ false,
            NoOpTelemetry$.MODULE$,
            Http$.MODULE$.apply(system.classicSystem()).dateHeaderRendering());
  }

  /**
   * Listens at the address. The stage fails if that cannot be had.
   *
   * @param security null for clear text
   */
  public static CompletionStage<ServerBinding> bind(
      ActorSystem<?> system,
      ListenAddress address,
      @Nullable ServerSecurity security,
      GuardSettings bounds,
      Function<
              akka.http.javadsl.model.HttpRequest,
              CompletionStage<akka.http.javadsl.model.HttpResponse>>
          handler) {
    return new GuardedServer(system, bounds, handler).bind(address, security);
  }

  private CompletionStage<ServerBinding> bind(
      ListenAddress address, @Nullable ServerSecurity security) {
    return connections(address, security)
        .to(Sink.foreach(this::accept))
        .run(system)
        .thenApply(this::binding);
  }

  private Source<Tcp.IncomingConnection, CompletionStage<Tcp.ServerBinding>> connections(
      ListenAddress address, @Nullable ServerSecurity security) {
    if (security != null) {
      return Tcp.get(system)
          .bindWithTls(
              address.host(),
              address.port(),
              security::engine,
              settings.backlog(),
              settings.getSocketOptions(),
              Optional.empty(),
              session -> Optional.empty(), // the context has judged the certificates
              IgnoreComplete$.MODULE$);
    }
    return Tcp.get(system)
        .bind(
            address.host(),
            address.port(),
            settings.backlog(),
            settings.getSocketOptions(),
            /* halfClose= */ false,
            Optional.empty());
  }

  private ServerBinding binding(Tcp.ServerBinding bound) {
    return new ServerBinding(
        new Http.ServerBinding(
            bound.localAddress(),
            () -> FutureConverters.asScala(bound.unbind()),
            within -> connections.terminate(within, threads)));
  }

  private void accept(Tcp.IncomingConnection connection) {
    InetSocketAddress remote = connection.remoteAddress();
    if (open.incrementAndGet() > bounds.maxConnections()) {
      open.decrementAndGet();
      complaints.add(
          remote, "there are [%d] connections already".formatted(bounds.maxConnections()));
      var unused =
          connection.handleWith(
              Flow.fromSinkAndSourceCoupled(Sink.cancelled(), Source.empty()), system);
      return;
    }
    Flow<ByteString, ByteString, CompletionStage<akka.Done>> network =
        connection.flow().watchTermination(Keep.right());
    FrameGuard guard =
        new FrameGuard(
            bounds, System::nanoTime, violation -> complaints.add(remote, violation.reason()));
    Caller caller = new Caller();
    Pair<ServerTerminator, CompletionStage<akka.Done>> running =
        requests(caller)
            .addAttributes(remoteAddress(remote))
            .joinMat(
                BidiFlow.fromGraph(guard).join(network, Keep.right()),
                Keep.<ServerTerminator, CompletionStage<akka.Done>>both())
            .addAttributes(
                Http$.MODULE$.cancellationStrategyAttributeForDelay(
                    settings.streamCancellationDelay()))
            .run(system);
    connections.registerConnection(running.first(), threads);
    var unused =
        running
            .second()
            .whenComplete(
                (done, failure) -> {
                  if (failure instanceof SSLException) {
                    complaints.add(remote, String.valueOf(failure.getMessage()));
                  }
                  caller.left();
                  open.decrementAndGet();
                  connections.removeConnection(running.first());
                });
  }

  private Attributes remoteAddress(InetSocketAddress remote) {
    return settings.remoteAddressAttribute()
        ? HttpAttributes$.MODULE$.remoteAddress(remote)
        : Attributes.none();
  }

  private Flow<ByteString, ByteString, ServerTerminator> requests(Caller caller) {
    return Flow.fromGraph(
            Http2Blueprint.handleWithStreamIdHeader(
                settings.http2Settings().maxConcurrentStreams(),
                (HttpRequest request) ->
                    answering.answer((HttpRequest) request.addAttribute(Caller.KEY, caller)),
                threads))
        .joinMat(http2, Keep.right());
  }
}
