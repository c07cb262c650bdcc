package io.holdfast.grpc.guard;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.http.javadsl.ServerBinding;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.japi.function.Function;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.holdfast.config.GuardSettings;
import io.holdfast.config.member.ListenAddress;
import io.holdfast.fixtures.LocalActors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The count of connections, the answers and the shutdown of the server. */
class GuardedServerTest {

  private static final GuardSettings BOUNDS =
      new GuardSettings(2, 1000, Duration.ofMinutes(1), 100, 100, 100, 100, 100, 100, 100);
  private static final Duration WITHIN = Duration.ofSeconds(20);
  @RegisterExtension static final LocalActors actors = new LocalActors();

  @Test
  void a_connection_above_the_limit_is_closed_until_another_ends() throws Exception {
    ServerBinding server = serve(request -> new CompletableFuture<>());
    try (Socket second = connect(server)) {
      try (Socket first = connect(server)) {
        assertTrue(staysOpen(first) && staysOpen(second));
        eventually("a third is closed", WITHIN, () -> anotherStaysOpen(server), open -> !open);
      }
      eventually("there is room again", WITHIN, () -> anotherStaysOpen(server), open -> open);
    }
    end(server);
  }

  @Test
  void a_failing_handler_answers_with_status_500() throws Exception {
    ServerBinding server =
        serve(
            request -> {
              throw new IllegalStateException("on purpose");
            });
    ManagedChannel channel =
        Grpc.newChannelBuilder(
                "127.0.0.1:" + server.localAddress().getPort(), InsecureChannelCredentials.create())
            .build();
    StatusRuntimeException error =
        assertThrows(
            StatusRuntimeException.class,
            () ->
                HealthGrpc.newBlockingStub(channel).check(HealthCheckRequest.getDefaultInstance()));
    assertTrue(error.toString().contains("500"), error::toString);
    channel.shutdownNow();
    end(server);
  }

  @Test
  void a_stopping_server_closes_connections_within_its_deadline() throws Exception {
    ServerBinding server = serve(request -> new CompletableFuture<>());
    ManagedChannel channel =
        Grpc.newChannelBuilder(
                "127.0.0.1:" + server.localAddress().getPort(), InsecureChannelCredentials.create())
            .build();
    var call = HealthGrpc.newFutureStub(channel).check(HealthCheckRequest.getDefaultInstance());
    eventually(
        "the call is under way", WITHIN, () -> channel.getState(false).name(), "READY"::equals);
    end(server);
    assertThrows(ExecutionException.class, () -> call.get(WITHIN.toSeconds(), TimeUnit.SECONDS));
    channel.shutdownNow();
  }

  private static ServerBinding serve(Function<HttpRequest, CompletionStage<HttpResponse>> handler)
      throws Exception {
    return GuardedServer.bind(
            actors.system(),
            new ListenAddress("127.0.0.1", 0),
            null,
            BOUNDS,
            new Quota(Quota.Kind.UNREAD, 1_000_000, 1_000_000),
            handler)
        .toCompletableFuture()
        .get(WITHIN.toSeconds(), TimeUnit.SECONDS);
  }

  private static void end(ServerBinding server) throws Exception {
    server.unbind().toCompletableFuture().get(WITHIN.toSeconds(), TimeUnit.SECONDS);
    server
        .terminate(Duration.ofMillis(200))
        .toCompletableFuture()
        .get(WITHIN.toSeconds(), TimeUnit.SECONDS);
  }

  private static Socket connect(ServerBinding server) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.localAddress().getPort());
  }

  private static boolean anotherStaysOpen(ServerBinding server) {
    try (Socket another = connect(server)) {
      return staysOpen(another);
    } catch (IOException e) {
      return false;
    }
  }

  /** Nothing is said on it: the server waits for the client to begin. */
  private static boolean staysOpen(Socket socket) throws IOException {
    socket.setSoTimeout(200);
    try {
      assertEquals(-1, socket.getInputStream().read());
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }
}
