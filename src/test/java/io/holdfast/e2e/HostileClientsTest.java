package io.holdfast.e2e;

import static io.holdfast.e2e.RawConnection.CONTINUATION;
import static io.holdfast.e2e.RawConnection.DATA;
import static io.holdfast.e2e.RawConnection.END_HEADERS;
import static io.holdfast.e2e.RawConnection.END_STREAM;
import static io.holdfast.e2e.RawConnection.HEADERS;
import static io.holdfast.e2e.RawConnection.PING;
import static io.holdfast.e2e.RawConnection.RST_STREAM;
import static io.holdfast.e2e.RawConnection.SETTINGS;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.UnlockRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that mean harm: their connections are ended, and nobody else hears of them. */
class HostileClientsTest {

  private static final int MANY = 500_000;
  private static final Duration WITHIN = Duration.ofSeconds(10);

  @TempDir private static Path folder;
  private static NodeUnderTest node;

  @BeforeAll
  static void start() {
    node = NodeUnderTest.serving(folder);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void a_header_block_without_end() {
    byte[] more = new byte[16_384];
    ended(
        "larger than [32768] bytes",
        connection -> {
          connection.frame(HEADERS, 0, 1, RawConnection.headers());
          flood(i -> connection.frame(CONTINUATION, 0, 1, more));
        });
  }

  @Test
  void calls_that_are_cancelled_at_once() {
    byte[] headers = RawConnection.headers();
    ended(
        "more than [200] RST_STREAM frames",
        connection ->
            flood(
                i ->
                    connection.frame(HEADERS, END_HEADERS, 2 * i + 1, headers)
                        && connection.frame(RST_STREAM, 0, 2 * i + 1, new byte[] {0, 0, 0, 8})));
  }

  @Test
  void more_streams_than_the_server_takes_are_reset() {
    byte[] headers = RawConnection.headers();
    ended(
        "more than [200] streams the server had to reset",
        connection -> flood(i -> connection.frame(HEADERS, END_HEADERS, 2 * i + 1, headers)));
  }

  @Test
  void settings_again_and_again() {
    ended(
        "more than [10] SETTINGS frames",
        connection -> flood(i -> connection.frame(SETTINGS, 0, 0, new byte[0])));
  }

  @Test
  void pings_without_end() {
    ended(
        "more than [10000] PING frames",
        connection -> flood(i -> connection.frame(PING, 0, 0, new byte[8])));
  }

  @Test
  void data_frames_with_nothing_in_them() {
    ended(
        "more than [100] idle frames",
        connection -> {
          connection.frame(HEADERS, END_HEADERS, 1, RawConnection.headers());
          flood(i -> connection.frame(DATA, 0, 1, new byte[0]));
        });
  }

  @Test
  void a_frame_larger_than_was_agreed() {
    ended(
        "larger than [16384] bytes",
        connection -> connection.frame(DATA, END_STREAM, 1, new byte[16_385]));
  }

  @Test
  void a_header_without_a_name_is_the_server_s_matter() {
    byte[] block = {0, 0, 1, 'x'};
    beside(connection -> connection.frame(HEADERS, END_HEADERS | END_STREAM, 1, block));
  }

  /** Akka's server says goodbye to these, and leaves the connection as it is. */
  @ParameterizedTest
  @CsvSource({
    "9, 000009 01 05 00000001 ffffffffffffffffff", // no HPACK
    "1, 000008 06 01 00000000 0102030405060708", // an answer to a ping that nobody sent
    "3, 000006 04 00 00000000 0004 ffffffff", // a window too large
    "1, 000000 00 00 00000002", // data of no call
  })
  void a_connection_that_the_server_gives_up_is_closed(int error, String frame) {
    ended(
        "the server gave it up with HTTP/2 error [" + error + "]",
        connection -> connection.send(HexFormat.of().parseHex(frame.replace(" ", ""))));
  }

  @Test
  void thousands_of_settings_in_one_frame() {
    ended(
        "a SETTINGS frame has more than [16] entries",
        connection -> connection.frame(SETTINGS, 0, 0, new byte[6 * 2_730]));
  }

  @Test
  void a_message_byte_by_byte() {
    ended(
        "more than [100] idle frames",
        connection -> {
          connection.frame(HEADERS, END_HEADERS, 1, RawConnection.headers());
          flood(i -> connection.frame(DATA, 0, 1, new byte[1]));
        });
  }

  @Test
  void more_connections_than_a_small_process_can_have() throws Exception {
    Path small = Files.createDirectory(folder.resolve("small"));
    List<RawConnection> many = new ArrayList<>();
    try (NodeUnderTest limited = NodeUnderTest.servingWithDescriptors(small, 450)) {
      ManagedChannel before = limited.connect();
      LockServiceGrpc.LockServiceBlockingStub locks = LockServiceGrpc.newBlockingStub(before);
      LockRequest request =
          LockRequest.newBuilder().setKey("a").setHolderId("b").setTtlMs(60_000).build();
      assertTrue(locks.tryLock(request).getFencingToken() > 0);
      for (int i = 0; i < 600; i++) {
        many.add(RawConnection.silent(limited.grpcAddress()));
      }
      eventually(
          "the log says how many there are",
          WITHIN,
          limited::output,
          output -> output.contains("connections already"));
      assertTrue(locks.tryLock(request).getFencingToken() > 0, "who was there is served");
      before.shutdownNow();
      String output = limited.output();
      assertTrue(output.contains("max-connections [4096] is lowered to ["), output);
      assertTrue(output.length() < 20_000, "the log has [" + output.length() + "] characters");
      assertTrue(limited.isAlive());
    } finally {
      many.forEach(RawConnection::close);
    }
  }

  @Test
  void a_client_of_http_1_is_told_what_the_port_is_for() {
    try (RawConnection connection = RawConnection.silent(node.grpcAddress())) {
      connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      String answer = connection.awaitEnd();
      assertTrue(answer.startsWith("HTTP/1.1 505 "), answer);
      assertTrue(answer.endsWith("with prior knowledge only.\n"), answer);
    }
  }

  private static void ended(String reason, Consumer<RawConnection> attack) {
    beside(
        connection -> {
          attack.accept(connection);
          connection.awaitEnd();
        });
    eventually("the log says why", WITHIN, node::output, output -> output.contains(reason));
  }

  /** Runs an attack beside a client that locks and unlocks, and sees what becomes of that one. */
  private static void beside(Consumer<RawConnection> attack) {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicBoolean over = new AtomicBoolean();
    Thread bystander = new Thread(() -> lockAndUnlock(over, failure), "bystander");
    bystander.start();
    try (RawConnection connection = RawConnection.http2(node.grpcAddress())) {
      attack.accept(connection);
      connection.flush();
    } finally {
      over.set(true);
    }
    try {
      bystander.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (failure.get() != null) {
      throw new AssertionError("the bystander: " + failure.get() + node.errors(), failure.get());
    }
    assertTrue(node.isAlive(), node::errors);
  }

  private static void lockAndUnlock(AtomicBoolean over, AtomicReference<Throwable> failure) {
    ManagedChannel channel = node.connect();
    try {
      LockServiceGrpc.LockServiceBlockingStub locks = LockServiceGrpc.newBlockingStub(channel);
      List<Long> tokens = new ArrayList<>();
      do {
        long token =
            locks
                .tryLock(
                    LockRequest.newBuilder()
                        .setKey("bystander")
                        .setHolderId("bystander")
                        .setTtlMs(60_000)
                        .build())
                .getFencingToken();
        tokens.add(token);
        assertTrue(
            locks
                .unlock(
                    UnlockRequest.newBuilder().setKey("bystander").setFencingToken(token).build())
                .getReleased());
      } while (!over.get() || tokens.size() < 10);
    } catch (RuntimeException | AssertionError e) {
      failure.set(e);
    } finally {
      channel.shutdownNow();
    }
  }

  private static void flood(IntPredicate frame) {
    int i = 0;
    while (i < MANY && frame.test(i)) {
      i++;
    }
  }
}
