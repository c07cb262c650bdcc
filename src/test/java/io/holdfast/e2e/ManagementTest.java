package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests the management port: what it tolerates, and what it refuses to anybody. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManagementTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);

  private NodeUnderTest node;

  @BeforeAll
  void start(@TempDir Path folder) {
    node = NodeUnderTest.serving(folder);
  }

  @AfterAll
  void stop() {
    node.close();
  }

  @Test
  void http_2_with_prior_knowledge_is_not_spoken() {
    try (RawConnection connection = RawConnection.http2(address())) {
      String answer = connection.awaitEnd();
      assertTrue(answer.startsWith("HTTP/1.1 "), () -> "it answered with frames: " + answer);
    }
  }

  @Test
  void an_upgrade_to_http_2_is_not_made() {
    try (RawConnection connection = RawConnection.silent(address())) {
      connection.send(
          String.join(
                  "\r\n",
                  "GET /alive HTTP/1.1",
                  "Host: x",
                  "Connection: Upgrade, HTTP2-Settings, close",
                  "Upgrade: h2c",
                  "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA",
                  "",
                  "")
              .getBytes(StandardCharsets.US_ASCII));
      String answer = connection.awaitEnd();
      assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
    }
  }

  @Test
  void a_new_node_that_serves_runs_all_shards() throws Exception {
    String shards = ask("GET", "/cluster/shards/lock").body();
    assertEquals(48, Pattern.compile("\"shardId\"").matcher(shards).results().count(), shards);
  }

  @Test
  void nothing_can_be_changed() throws Exception {
    for (String method : List.of("PUT", "POST", "DELETE", "PATCH", "OPTIONS")) {
      for (String path :
          List.of("/cluster/members", "/cluster/members/x", "/cluster", "/loglevel/logback", "/")) {
        assertEquals(405, ask(method, path).statusCode(), method + " " + path);
      }
    }
    assertEquals(404, ask("GET", "/cluster/domain-events").statusCode(), "streams have no end");
    assertEquals(404, ask("GET", "/loglevel/logback").statusCode());
    assertEquals(200, ask("GET", "/cluster/members").statusCode());
  }

  @Test
  void headers_have_a_bound() {
    try (RawConnection connection = RawConnection.silent(address())) {
      StringBuilder request = new StringBuilder("GET /alive HTTP/1.1\r\nHost: x\r\n");
      for (int i = 0; i < 1_000; i++) {
        request.append("X-").append(i).append(": ").append("v".repeat(1_000)).append("\r\n");
      }
      connection.send(request.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
      String answer = connection.awaitEnd();
      assertTrue(answer.startsWith("HTTP/1.1 4"), answer);
    }
  }

  @Test
  void silent_connections_leave_room_for_probes_in_time() throws Exception {
    List<RawConnection> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        silent.add(RawConnection.silent(address()));
      }
      silent.get(0).awaitEnd();
      assertEquals(200, ask("GET", "/alive").statusCode());
    } finally {
      silent.forEach(RawConnection::close);
    }
    assertFalse(node.output().contains("ERROR"), node::output);
  }

  private String address() {
    return node.managementUrl().substring("http://".length());
  }

  private HttpResponse<String> ask(String method, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(node.managementUrl() + path))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(WITHIN.multipliedBy(3))
                .method(method, BodyPublishers.noBody())
                .build(),
            BodyHandlers.ofString());
  }
}
