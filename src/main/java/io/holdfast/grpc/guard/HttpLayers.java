package io.holdfast.grpc.guard;

import akka.event.LoggingAdapter;
import akka.http.impl.engine.http2.FrameEvent;
import akka.http.impl.engine.http2.Http2Blueprint;
import akka.http.impl.engine.http2.Http2SubStream;
import akka.http.impl.engine.parsing.HttpHeaderParser$;
import akka.http.impl.engine.rendering.DateHeaderRendering;
import akka.http.impl.engine.server.ServerTerminator;
import akka.http.scaladsl.model.HttpRequest;
import akka.http.scaladsl.model.HttpResponse;
import akka.http.scaladsl.settings.ServerSettings;
import akka.stream.javadsl.BidiFlow;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Keep;
import akka.util.ByteString;
import com.typesafe.config.ConfigFactory;
import io.holdfast.config.GuardSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import scala.collection.immutable.Nil$;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The layers of Akka HTTP between bytes and requests. Between them the client's HTTP/2 settings are
 * lowered to the defaults: larger ones would cost the server memory for each client.
 */
final class HttpLayers {

  /** The maximum size of the server's header table, which is also the default of HTTP/2. */
  private static final int HEADER_TABLE = 4096;

  private static final int HEADER_TABLE_SIZE = 1; // of a setting
  private static final int MAX_FRAME_SIZE = 5;

  /**
   * The settings of Akka HTTP's server, apart from the configured limits. Other settings of the
   * process have no effect on it.
   */
  private static final String SETTINGS =
      """
      akka.http.server {
        # The guard limits resets, and tolerates a client that cancels all its calls at once.
        http2.max-resets = 2147483647
        # The queue of connections to accept or refuse. A client that finds it full retries after a second or three.
        backlog = 1024
        # The guard closes idle connections. Quiet streams are kept: a request may wait for an hour.
        idle-timeout = infinite
        # A unary request usually ends with its first frame, and needs no stream.
        http2.min-collect-strict-entity-size = 1
        # Buffers of requests that are not read yet: two messages a stream, and a limit for the connection.
        http2.incoming-stream-level-buffer-size = 128 KiB
        http2.incoming-connection-level-buffer-size = 1 MiB
      }
      """;

  /**
   * The interval of HTTP/2 pings to a client with open calls, unless idle-after demands a shorter
   * one.
   */
  private static final Duration ASK_EVERY = Duration.ofSeconds(10);

  private HttpLayers() {}

  static ServerSettings settings(GuardSettings bounds) {
    ServerSettings usual =
        (ServerSettings)
            akka.http.javadsl.settings.ServerSettings.create(
                ConfigFactory.parseString(SETTINGS)
                    .withFallback(ConfigFactory.defaultReferenceUnresolved())
                    .resolve());
    long often = Math.min(ASK_EVERY.toMillis(), bounds.idleAfter().toMillis() / 3);
    return usual.withHttp2Settings(
        usual
            .http2Settings()
            .withMaxConcurrentStreams(bounds.maxCalls())
            .withPingInterval(FiniteDuration.apply(often, TimeUnit.MILLISECONDS)));
  }

  /**
   * Assembles the layers of one connection.
   *
   * @param unread counts the answers of this connection
   */
  static BidiFlow<HttpResponse, ByteString, ByteString, HttpRequest, ServerTerminator> http2(
      ServerSettings settings,
      LoggingAdapter log,
      DateHeaderRendering dates,
      UnreadAnswers unread) {
    return BidiFlow.fromGraph(Http2Blueprint.httpLayer(settings, log, dates))
        .atop(
            BidiFlow.fromFlows(
                Flow.of(Http2SubStream.class).map(unread::begin), Flow.of(Http2SubStream.class)))
        .atop(
            BidiFlow.fromGraph(
                Http2Blueprint.serverDemux(
                    settings.http2Settings(), empty(), /* upgraded= */ false)),
            Keep.right())
        .atop(BidiFlow.fromGraph(new FrameCountStage(unread)))
        .atop(
            BidiFlow.fromGraph(
                Http2Blueprint.hpackCoding(
                    HttpHeaderParser$.MODULE$.apply(settings.parserSettings(), log),
                    settings.parserSettings())))
        .atop(BidiFlow.fromGraph(Http2Blueprint.framing(settings.http2Settings(), log)))
        .atop(BidiFlow.fromGraph(Http2Blueprint.errorHandling(log)));
  }

  /**
   * Lowers the client's settings: the server sends no frames above the default size, and its header
   * table does not grow.
   */
  static FrameEvent lowered(FrameEvent frame) {
    if (!(frame instanceof FrameEvent.SettingsFrame settings)) {
      return frame;
    }
    List<FrameEvent.Setting> lowered = new ArrayList<>();
    for (FrameEvent.Setting setting : CollectionConverters.asJava(settings.settings())) {
      if (setting.identifier().id() == HEADER_TABLE_SIZE) {
        boolean isLarger = setting.value() < 0 || setting.value() > HEADER_TABLE; // unsigned
        lowered.add(
            new FrameEvent.Setting(
                setting.identifier(), isLarger ? HEADER_TABLE : setting.value()));
      } else if (setting.identifier().id() != MAX_FRAME_SIZE) {
        lowered.add(setting);
      }
    }
    return new FrameEvent.SettingsFrame(CollectionConverters.asScala(lowered).toList());
  }

  @SuppressWarnings("unchecked") // an empty list has any element type
  private static scala.collection.immutable.Seq<FrameEvent.Setting> empty() {
    return (scala.collection.immutable.Seq<FrameEvent.Setting>)
        (scala.collection.immutable.Seq<?>) Nil$.MODULE$;
  }
}
