package io.holdfast.grpc.guard;

import static io.holdfast.fixtures.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import akka.http.javadsl.ServerBinding;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.japi.function.Function;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.holdfast.config.GuardSettings;
import io.holdfast.config.member.ListenAddress;
import io.holdfast.fixtures.Certificates;
import io.holdfast.fixtures.LocalActors;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of connections that clients do not close: no socket stays in any state. */
@Tag("slow")
class ConnectionCloserTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);
  private static final Duration IDLE_AFTER = Duration.ofSeconds(3);
  private static final Certificates NODE = Certificates.make("ip:127.0.0.1");
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final String SETTINGS = "000000 04 00 00000000";

  /** The client bears as much as there is. */
  private static final String WIDE_SETTINGS = "000006 04 00 00000000 0004 7fffffff";

  private static final String WIDE_WINDOW = "000004 08 00 00000000 7fff0000";

  /** POST http / on stream 1. */
  private static final String CALL = "000003 01 05 00000001 83 86 84";

  @RegisterExtension static final LocalActors actors = new LocalActors();
  private @Nullable ServerBinding server;

  @AfterEach
  void end() throws Exception {
    if (server != null) {
      server.unbind().toCompletableFuture().get(WITHIN.toSeconds(), TimeUnit.SECONDS);
      server
          .terminate(Duration.ofMillis(200))
          .toCompletableFuture()
          .get(WITHIN.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** In turn: HPACK, a window of 0 more, an answer nobody asked for, windows, streams, a header. */
  @ParameterizedTest
  @CsvSource({
    "false,000009 01 05 00000001 ffffffffffffffffff",
    "true, 000009 01 05 00000001 ffffffffffffffffff",
    "false,000004 08 00 00000000 00000000",
    "false,000008 06 01 00000000 0102030405060708",
    "false,000006 04 00 00000000 0004 ffffffff",
    "true, 000006 04 00 00000000 0004 ffffffff",
    "false,000000 00 00 00000002",
    "false,000004 01 05 00000001 00000178",
    "true, 000004 01 05 00000001 00000178"
  })
  void a_connection_that_the_server_gives_up_is_closed(boolean tls, String frame) throws Exception {
    serve(tls, 10, request -> answer());
    try (Socket client = connect(tls)) {
      send(client, PREFACE);
      send(client, SETTINGS, frame);
      eventually("its socket is closed", WITHIN, this::sockets, sockets -> sockets == 0);
    }
  }

  @ParameterizedTest
  @CsvSource({"false,0", "true,0", "false,4", "true,4"})
  void a_client_without_a_preface_is_closed(boolean tls, int said) throws Exception {
    serve(tls, 10, request -> answer());
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port())) {
      // Of HTTP/2, or of a TLS record with a handshake.
      send(client, tls ? new byte[] {22, 3, 1, 2} : PREFACE, said);
      eventually("it is there", WITHIN, this::sockets, sockets -> sockets == 1);
      eventually("its socket is closed", WITHIN, this::sockets, sockets -> sockets == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void an_idle_client_is_closed(boolean tls) throws Exception {
    serve(tls, 10, request -> answer());
    try (Socket client = connect(tls)) {
      send(client, PREFACE);
      send(client, SETTINGS, CALL);
      eventually("it is there", WITHIN, this::sockets, sockets -> sockets == 1);
      eventually("its socket is closed", WITHIN, this::sockets, sockets -> sockets == 0);
    }
  }

  @Test
  void a_client_with_an_open_call_is_not_idle() throws Exception {
    serve(false, 10, request -> new CompletableFuture<>());
    ManagedChannel channel =
        Grpc.newChannelBuilder("127.0.0.1:" + port(), InsecureChannelCredentials.create()).build();
    var call = HealthGrpc.newFutureStub(channel).check(HealthCheckRequest.getDefaultInstance());
    assertThrows(
        TimeoutException.class,
        () -> call.get(3 * IDLE_AFTER.toMillis(), TimeUnit.MILLISECONDS),
        "it waits");
    assertFalse(call.isDone());
    channel.shutdownNow();
    eventually("its socket is closed", WITHIN, this::sockets, sockets -> sockets == 0);
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void a_client_that_reads_nothing_is_closed(boolean tls, boolean closesItsHalf) throws Exception {
    serve(tls, 10, request -> endless());
    try (Socket client = connect(tls)) {
      send(client, PREFACE);
      send(client, WIDE_SETTINGS, WIDE_WINDOW, CALL);
      eventually("it is there", WITHIN, this::sockets, sockets -> sockets == 1);
      if (closesItsHalf) {
        client.shutdownOutput();
      }
      eventually("its socket is closed", WITHIN, this::sockets, sockets -> sockets == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_client_that_closes_its_half_is_closed(boolean tls) throws Exception {
    serve(tls, 10, request -> new CompletableFuture<>());
    try (Socket client = connect(tls)) {
      send(client, PREFACE);
      send(client, SETTINGS, CALL);
      client.shutdownOutput();
      eventually("its socket is closed", WITHIN, this::sockets, sockets -> sockets == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_connection_above_the_limit_is_closed_by_the_server(boolean tls) throws Exception {
    serve(tls, 0, request -> answer());
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port())) {
      assertFalse(client.isClosed());
      eventually("its socket is closed", WITHIN, this::sockets, sockets -> sockets == 0);
    }
  }

  private void serve(
      boolean tls, int maxPerAddress, Function<HttpRequest, CompletionStage<HttpResponse>> handler)
      throws Exception {
    server =
        GuardedServer.bind(
                actors.system(),
                new ListenAddress("127.0.0.1", 0),
                tls ? new ServerSecurity(NODE.trusting(NODE), false) : null,
                new GuardSettings(
                    100, maxPerAddress, IDLE_AFTER, 100, 100, 100, 100, 100, 100, 100),
                new Quota(Quota.Kind.UNREAD, 1_000_000, 1_000_000),
                handler)
            .toCompletableFuture()
            .get(WITHIN.toSeconds(), TimeUnit.SECONDS);
  }

  private static CompletionStage<HttpResponse> answer() {
    return CompletableFuture.completedFuture(HttpResponse.create());
  }

  private static CompletionStage<HttpResponse> endless() {
    return CompletableFuture.completedFuture(
        HttpResponse.create()
            .withEntity(
                HttpEntities.createChunked(
                    ContentTypes.APPLICATION_OCTET_STREAM,
                    Source.repeat(ByteString.fromArray(new byte[16_384])))));
  }

  private Socket connect(boolean tls) throws IOException {
    if (!tls) {
      return new Socket(InetAddress.getLoopbackAddress(), port());
    }
    SSLContext context = NODE.trusting(NODE);
    return context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port());
  }

  private int port() {
    return requireNonNull(server).localAddress().getPort();
  }

  private static void send(Socket client, String... frames) throws IOException {
    for (String frame : frames) {
      send(client, HexFormat.of().parseHex(frame.replace(" ", "")));
    }
  }

  private static void send(Socket client, byte[] bytes) throws IOException {
    send(client, bytes, bytes.length);
  }

  private static void send(Socket client, byte[] bytes, int length) throws IOException {
    OutputStream out = client.getOutputStream();
    out.write(bytes, 0, length);
    out.flush();
  }

  /**
   * Returns the number of sockets that the kernel has for the server's port, without the listening
   * one.
   */
  private long sockets() {
    String local = "0100007F:%04X".formatted(port());
    String local6 = "0000000000000000FFFF00000100007F:%04X".formatted(port());
    long count = 0;
    for (String table : new String[] {"/proc/net/tcp", "/proc/net/tcp6"}) {
      try {
        count +=
            Files.readAllLines(Path.of(table)).stream()
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> fields[1].equals(local) || fields[1].equals(local6))
                .filter(fields -> !fields[3].equals("0A") && !fields[3].equals("06"))
                .count();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return count;
  }
}
