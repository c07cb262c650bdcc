package io.holdfast.grpc.guard;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.http.javadsl.ServerBinding;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpResponse;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import io.holdfast.config.GuardSettings;
import io.holdfast.config.member.ListenAddress;
import io.holdfast.fixtures.LocalActors;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The count of answers that a client does not read, over a raw connection. */
@Tag("slow")
class UnreadAnswersTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);
  private static final int ALL = 1_000_000;
  private static final int OVERHEAD_OF_ANSWER = UnreadAnswers.OVERHEAD_OF_ANSWER;
  private static final String NO_WINDOW = "000006 04 00 00000000 0004 00000000";

  @RegisterExtension static final LocalActors actors = new LocalActors();

  private final Quota bytes = new Quota(Quota.Kind.UNREAD, ALL, ALL);
  private final CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
  private final List<ClientConnection> others =
      List.of(ClientConnection.unknown(), ClientConnection.unknown());
  private ServerBinding server;
  private Client client;

  @BeforeEach
  void start() throws Exception {
    server =
        GuardedServer.bind(
                actors.system(),
                new ListenAddress("127.0.0.1", 0),
                null,
                new GuardSettings(10, 10, Duration.ofSeconds(3), 100, 100, 100, 100, 100, 100, 100),
                bytes,
                request -> answer)
            .toCompletableFuture()
            .get(WITHIN.toSeconds(), TimeUnit.SECONDS);
    client = new Client(server.localAddress().getPort());
    client.send(NO_WINDOW);
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    awaitTaken(0);
    server.unbind().toCompletableFuture().get(WITHIN.toSeconds(), TimeUnit.SECONDS);
    server
        .terminate(Duration.ofMillis(200))
        .toCompletableFuture()
        .get(WITHIN.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void an_answer_in_one_piece_counts_until_its_last_byte() throws IOException {
    answer.complete(whole(1_000));
    client.call(1);
    awaitTaken(1_000 + OVERHEAD_OF_ANSWER);
    client.wants(1, 999);
    client.awaitData(999);
    client.ping(); // whatever left before the answer to it has been counted
    assertEquals(1_000 + OVERHEAD_OF_ANSWER, bytes.taken(), "all of it is still there");
    client.wants(1, 1);
    client.awaitData(1_000);
    awaitTaken(0);
    client.ping(); // its connection stands
  }

  @Test
  void a_message_of_a_stream_counts_until_its_last_byte() throws IOException {
    answer.complete(stream(Source.from(List.of(data(100), data(200), data(300))), "never"));
    client.call(1);
    awaitTaken(600 + OVERHEAD_OF_ANSWER);
    client.wants(1, 299);
    client.awaitData(299);
    awaitTaken(500 + OVERHEAD_OF_ANSWER);
    client.wants(1, 1);
    awaitTaken(300 + OVERHEAD_OF_ANSWER);
    client.wants(1, 300);
    awaitTaken(0);
    client.ping(); // its connection stands
  }

  @Test
  void a_reset_answer_stops_counting() throws IOException {
    answer.complete(whole(1_000));
    client.call(1);
    client.call(3);
    awaitTaken(2 * (1_000 + OVERHEAD_OF_ANSWER));
    client.reset(3);
    awaitTaken(1_000 + OVERHEAD_OF_ANSWER);
    client.reset(1);
    awaitTaken(0);
    client.ping(); // its connection stands
  }

  @Test
  void a_reset_stream_stops_counting() throws IOException {
    answer.complete(stream(Source.single(data(700)), "never"));
    client.call(1);
    awaitTaken(700 + OVERHEAD_OF_ANSWER);
    client.reset(1);
    awaitTaken(0);
    client.ping(); // its connection stands
  }

  @Test
  void an_answer_after_the_reset_does_not_count() throws IOException {
    client.call(1);
    client.reset(1);
    client.ping();
    answer.complete(whole(1_000));
    client.call(3);
    awaitTaken(1_000 + OVERHEAD_OF_ANSWER);
    client.wants(3, 1_000);
    client.awaitData(1_000);
    awaitTaken(0);
    client.ping(); // its connection stands
  }

  @Test
  void answers_of_a_closed_connection_stop_counting() throws IOException {
    answer.complete(stream(Source.single(data(700)), "never"));
    client.call(1);
    client.call(3);
    awaitTaken(2 * (700 + OVERHEAD_OF_ANSWER));
    client.close();
    awaitTaken(0);
  }

  @Test
  void a_stream_without_room_pauses_until_its_client_reads() throws IOException {
    fill(ALL / 2);
    AtomicInteger asked = new AtomicInteger();
    answer.complete(
        stream(
            Source.repeat(data(1_000))
                .map(
                    each -> {
                      asked.incrementAndGet();
                      return each;
                    }),
            "never"));
    client.call(1);
    eventually("it begins", WITHIN, bytes::taken, taken -> taken > ALL + UnreadAnswers.LITTLE);
    client.ping();
    assertTrue(
        bytes.taken() <= ALL + UnreadAnswers.LITTLE + 1_000 + OVERHEAD_OF_ANSWER, bytes::toString);
    assertTrue(asked.get() <= 6, "asked for [%d]".formatted(asked.get()));
    client.wants(1, 10_000);
    client.awaitData(10_000);
    fill(-ALL / 2);
    eventually("others have left room", WITHIN, bytes::taken, taken -> taken > 20_000);
  }

  @Test
  void a_client_that_reads_nothing_on_a_full_node_is_closed() throws Exception {
    fill(ALL / 2);
    answer.complete(whole(100_000));
    try (Client slow = new Client(server.localAddress().getPort())) {
      slow.send(NO_WINDOW);
      slow.call(1);
      client.call(1);
      awaitTaken(ALL + 2 * (100_000 + OVERHEAD_OF_ANSWER));
      long until = System.nanoTime() + WITHIN.toNanos();
      int taken = 0;
      while (!client.hasEnded() && System.nanoTime() < until) {
        try {
          client.send("000008 06 00 00000000 0102030405060708"); // it is not idle
        } catch (SocketException e) {
          assertTrue(client.hasEnded()); // in between
        }
        slow.wants(1, 10);
        slow.awaitData(taken += 10);
      }
      assertTrue(client.hasEnded());
      slow.wants(1, 10);
      slow.awaitData(taken + 10);
      awaitTaken(ALL + 100_000 + OVERHEAD_OF_ANSWER);
    } finally {
      fill(-ALL / 2);
    }
  }

  /** Others take all that there is, or give it back. */
  private void fill(int each) {
    others.forEach(other -> bytes.count(other, each));
  }

  private void awaitTaken(long expected) {
    eventually("it counts", WITHIN, bytes::taken, taken -> taken == expected);
  }

  private static HttpResponse whole(int size) {
    return HttpResponse.create()
        .withEntity(HttpEntities.create(ContentTypes.APPLICATION_OCTET_STREAM, data(size)));
  }

  /** Messages, and then no end. */
  private static HttpResponse stream(Source<ByteString, ?> messages, String end) {
    return HttpResponse.create()
        .withEntity(
            HttpEntities.createChunked(
                ContentTypes.APPLICATION_OCTET_STREAM,
                messages.mapMaterializedValue(unused -> (Object) end).concat(Source.maybe())));
  }

  private static ByteString data(int size) {
    return ByteString.fromArray(new byte[size]);
  }

  /** A client's end of a connection, which takes just as much as it says. */
  private static final class Client implements AutoCloseable {

    private final Socket socket;
    private final AtomicInteger data = new AtomicInteger();
    private final AtomicInteger pongs = new AtomicInteger();
    private volatile boolean ended;
    private int pings;

    Client(int port) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket
          .getOutputStream()
          .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      Thread reader = new Thread(this::read, "frames");
      reader.setDaemon(true);
      reader.start();
    }

    void send(String frame) throws IOException {
      socket.getOutputStream().write(HexFormat.of().parseHex(frame.replace(" ", "")));
    }

    void call(int stream) throws IOException {
      send("000003 01 05 %08x 83 86 84".formatted(stream));
    }

    void reset(int stream) throws IOException {
      send("000004 03 00 %08x 00000008".formatted(stream));
    }

    void wants(int stream, int more) throws IOException {
      send("000004 08 00 %08x %08x".formatted(stream, more));
    }

    void ping() throws IOException {
      pings++;
      send("000008 06 00 00000000 0102030405060708");
      eventually("it is answered", WITHIN, pongs::get, seen -> seen == pings);
    }

    void awaitData(int octets) {
      eventually("it comes", WITHIN, data::get, seen -> seen == octets);
    }

    boolean hasEnded() {
      return ended;
    }

    private void read() {
      try (DataInputStream in = new DataInputStream(socket.getInputStream())) {
        while (true) {
          int head = in.readInt();
          int length = head >>> 8;
          int flags = in.readByte();
          in.readInt();
          in.readFully(new byte[length]);
          if ((head & 0xFF) == 0) {
            data.addAndGet(length);
          } else if ((head & 0xFF) == 6 && (flags & 1) != 0) {
            pongs.incrementAndGet();
          }
        }
      } catch (IOException e) {
        ended = true;
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
