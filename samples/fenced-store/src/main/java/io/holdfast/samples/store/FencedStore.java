package io.holdfast.samples.store;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.client.fencing.InMemoryGuard;
import io.holdfast.client.fencing.StaleToken;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A data store over HTTP that refuses who has lost the lock: one record for each key, written under
 * the fencing token of the key's lock. It is what a lock service cannot be: the place where a
 * holder that is late is stopped for sure.
 *
 * <pre>
 *   POST /   {"clientID": "A", "fencingToken": {"key": "orders/42", "value": 17}, "data": "paid"}
 *   GET  /?key=orders/42
 * </pre>
 *
 * <p>A smaller token than the largest seen for the key is refused with 409, an equal one is
 * accepted. The records are in memory, and so is what guards them: they are lost together. A store
 * that keeps its data keeps the largest token with it, in the same transaction.
 */
final class FencedStore implements AutoCloseable {

  static final int MAX_BODY_BYTES = 64 * 1024;

  private static final int THREADS = 8;
  private static final int MAX_WAITING = 64;

  /** Seconds a client may take to send a request, and to take the answer. */
  private static final String PATIENCE = "5";

  private final InMemoryGuard guard;
  private final Map<String, Write> records = new ConcurrentHashMap<>();
  private final Consumer<String> log;
  private final HttpServer server;
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS, THREADS, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING));

  /** Listens on loopback. Port 0 is one that is free. */
  FencedStore(int port, int maxKeys, Consumer<String> log) throws IOException {
    this.guard = new InMemoryGuard(maxKeys);
    this.log = log;
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/", this::serve);
    server.setExecutor(threads);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer =
          switch (exchange.getRequestMethod()) {
            case "POST" -> post(exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1));
            case "GET" -> get(exchange.getRequestURI().getRawQuery());
            default -> Answer.refused(405, "there are only GET and POST");
          };
      byte[] body = answer.json().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private Answer post(byte[] body) {
    if (body.length > MAX_BODY_BYTES) {
      return Answer.refused(413, "more than [" + MAX_BODY_BYTES + "] bytes");
    }
    Write write;
    try {
      write = Write.read(text(body));
    } catch (IllegalArgumentException | CharacterCodingException e) {
      return Answer.refused(400, String.valueOf(e.getMessage()));
    }
    try {
      return guard.write(write.key(), write.fencingToken(), () -> keep(write));
    } catch (StaleToken e) {
      log.accept("refuses %s: %s".formatted(write.clientId(), e.getMessage()));
      return Answer.refused(409, String.valueOf(e.getMessage()));
    } catch (IllegalStateException e) {
      return Answer.refused(507, String.valueOf(e.getMessage()));
    }
  }

  /** Runs only under a token that is not stale, and for one write of the key at a time. */
  private Answer keep(Write write) {
    records.put(write.key(), write);
    log.accept("accepts %s, token %d".formatted(write.clientId(), write.fencingToken()));
    return new Answer(200, "{\"accepted\": true}\n");
  }

  private Answer get(@Nullable String query) {
    String key = query != null && query.startsWith("key=") ? query.substring(4) : "";
    Write kept = records.get(URLDecoder.decode(key, StandardCharsets.UTF_8));
    return kept == null
        ? Answer.refused(404, "nothing is kept under this key")
        : new Answer(200, kept.toJson() + "\n");
  }

  private static String text(byte[] utf8) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
  }

  private record Answer(int status, String json) {

    static Answer refused(int status, String why) {
      return new Answer(status, "{\"error\": " + JsonText.quoted(why) + "}\n");
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }

  /** Runs until it is ended; the argument is its port, 0 for a free one. */
  public static void main(String[] args) throws IOException {
    System.setProperty("sun.net.httpserver.maxReqTime", PATIENCE);
    System.setProperty("sun.net.httpserver.maxRspTime", PATIENCE);
    Consumer<String> log = line -> System.out.println("store:    " + line);
    @SuppressWarnings("resource") // for as long as the process runs
    FencedStore store = new FencedStore(Integer.parseInt(args[0]), /* maxKeys= */ 10_000, log);
    log.accept("listens at http://127.0.0.1:" + store.port() + "/");
  }
}
