package io.holdfast.samples.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FencedStoreTest {

  private final Queue<String> log = new ConcurrentLinkedQueue<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private FencedStore store;

  @BeforeEach
  void start() throws IOException {
    store = new FencedStore(0, /* maxKeys= */ 2, log::add);
  }

  @AfterEach
  void stop() {
    store.close();
  }

  @Test
  void a_smaller_token_is_refused_and_an_equal_one_accepted() throws Exception {
    assertEquals(200, post(new Write("A", "k", 7, "first").toJson()).statusCode());
    assertEquals(200, post(new Write("A", "k", 7, "second").toJson()).statusCode());
    assertEquals(200, post(new Write("B", "k", 9, "third").toJson()).statusCode());
    HttpResponse<String> late = post(new Write("A", "k", 8, "late").toJson());
    assertEquals(409, late.statusCode());
    assertTrue(late.body().contains("the token [8] of [k] is smaller"), late::body);
    assertEquals(new Write("B", "k", 9, "third"), Write.read(get("/?key=k").body()));
    assertEquals(200, post(new Write("A", "other", 8, "another key").toJson()).statusCode());
    assertEquals(
        List.of(
            "accepts A, token 7",
            "accepts A, token 7",
            "accepts B, token 9",
            "refuses A: the token [8] of [k] is smaller than one seen before",
            "accepts A, token 8"),
        List.copyOf(log));
  }

  @Test
  void a_store_that_is_full_refuses_more_keys() throws Exception {
    assertEquals(200, post(new Write("A", "1", 1, "").toJson()).statusCode());
    assertEquals(200, post(new Write("A", "2", 1, "").toJson()).statusCode());
    assertEquals(507, post(new Write("A", "3", 1, "").toJson()).statusCode());
    assertEquals(404, get("/?key=3").statusCode());
    assertEquals(200, post(new Write("A", "1", 1, "").toJson()).statusCode());
    assertEquals(413, post(" ".repeat(FencedStore.MAX_BODY_BYTES + 1)).statusCode());
  }

  @Test
  void a_body_that_cannot_be_read_changes_nothing() throws Exception {
    String token = "{\"key\": \"k\", \"value\": 7}";
    for (String body :
        List.of(
            "",
            "{",
            "[]",
            "{}",
            "{\"clientID\": \"A\", \"fencingToken\": 7, \"data\": \"d\"}",
            "{\"clientID\": \"A\", \"fencingToken\": {\"key\": \"k\"}, \"data\": \"d\"}",
            "{\"clientID\": \"A\", \"fencingToken\": " + token + ", \"data\": \"d\"} {}",
            "{\"clientID\": \"A\", \"clientID\": \"B\", \"fencingToken\": " + token + "}",
            "{\"clientID\": \"A\", \"fencingToken\": " + token + ", \"data\": \"d\", \"e\": \"\"}",
            "{\"clientID\": \"A\", \"fencingToken\": " + token + ", \"data\": \"\\x\"}",
            "{\"clientID\": \"A\", \"fencingToken\": " + token + ", \"data\": \"no end",
            "{\"clientID\": \"A\nB\", \"fencingToken\": " + token + ", \"data\": \"d\"}",
            "{\"clientID\": \"A\\nB\", \"fencingToken\": " + token + ", \"data\": \"d\"}",
            "{\"clientID\": \"A\", \"fencingToken\": "
                + token.replace("7", "0")
                + ", \"data\": \"\"}",
            "{\"clientID\": \"A\", \"fencingToken\": "
                + token.replace("7", "7.5")
                + ", \"data\": \"\"}",
            "{\"clientID\": \"A\", \"fencingToken\": "
                + token.replace("7", "\"99999999999999999999\"")
                + ", \"data\": \"\"}",
            "{\"a\": ".repeat(9_000))) {
      assertEquals(400, post(body).statusCode(), body);
    }
    assertEquals(404, get("/?key=k").statusCode());
    assertEquals(404, get("/").statusCode());
    assertEquals(List.of(), List.copyOf(log));
  }

  @Test
  void a_token_may_be_a_string_of_digits() {
    Write write =
        Write.read(
            """
            {"clientID": "A", "data": "a \\"b\\" \\u00e9\\n",
             "fencingToken": {"value": "9223372036854775807", "key": "k"}}
            """);
    assertEquals(new Write("A", "k", Long.MAX_VALUE, "a \"b\" é\n"), write);
    assertEquals(write, Write.read(write.toJson()));
  }

  @Test
  void a_write_out_of_bound_is_refused() {
    assertThrows(IllegalArgumentException.class, () -> new Write("", "k", 1, ""));
    assertThrows(IllegalArgumentException.class, () -> new Write("A", "k".repeat(513), 1, ""));
    assertThrows(IllegalArgumentException.class, () -> new Write("A", "k", -1, ""));
    assertThrows(IllegalArgumentException.class, () -> new Write("A", "k", 1, "d".repeat(1 << 16)));
  }

  private HttpResponse<String> post(String body) throws IOException, InterruptedException {
    return http.send(
        request("/").POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(request(path).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + store.port() + path));
  }
}
