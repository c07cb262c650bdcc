package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Certificates;
import io.holdfast.fixtures.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes whose actors speak TLS with each other, and nodes that must not do without. */
class ClusterTlsTest {

  private static final Duration WITHIN = Duration.ofSeconds(90);

  private final Certificates first = Certificates.make("ip:127.0.0.1");
  private final Certificates second = Certificates.make("ip:127.0.0.1");
  private final Certificates named = Certificates.make("dns:elsewhere");

  @TempDir private Path folder;

  @Test
  void nodes_that_trust_each_other_form_a_cluster() throws IOException {
    List<Map<String, String>> settings = settings(first, second, List.of(first, second));
    try (NodeUnderTest one = started(0, settings);
        NodeUnderTest two = started(1, settings)) {
      one.awaitServing(WITHIN);
      two.awaitServing(WITHIN);
      assertEquals(2, upMembers(one), one::output);
      // Akka's own first bytes, in clear text, are no handshake.
      try (RawConnection stranger = RawConnection.silent(one.clusterAddress())) {
        stranger.send(new byte[] {'A', 'K', 'K', 'A', 1, 1, 0, 0, 0});
        stranger.awaitEnd();
      }
    }
  }

  @Test
  void a_certificate_for_another_host_is_not_believed() throws IOException {
    List<Map<String, String>> settings = settings(first, named, List.of(first, named));
    settings.forEach(each -> each.put("HOLDFAST_CLUSTER_JOIN_WITHIN", "20s"));
    try (NodeUnderTest one = started(0, settings);
        NodeUnderTest two = started(1, settings)) {
      assertEquals(75, anyEnd(one, two), () -> one.output() + two.output() + two.errors());
    }
  }

  @Test
  void a_listener_off_loopback_needs_tls_or_a_word_of_its_operator() throws IOException {
    Map<String, String> open = new HashMap<>();
    for (String server : List.of("GRPC", "ADMIN", "CLUSTER", "RAFT")) {
      open.put("HOLDFAST_" + server + "_HOST", "0.0.0.0");
    }
    try (NodeUnderTest node = NodeUnderTest.started(folder, open, List.of())) {
      assertEquals(78, node.awaitEnd());
      assertEquals(4, node.errors().lines().count(), node::errors);
      assertTrue(
          node.errors()
              .contains(
                  "holdfast: holdfast.admin.host [0.0.0.0] is not on loopback, and there is no"
                      + " TLS with certificates of clients: set holdfast.grpc.tls with"
                      + " client-authorities, or holdfast.insecure = on"),
          node::errors);
    }
    Map<String, String> told = Map.of("HOLDFAST_GRPC_HOST", "0.0.0.0", "HOLDFAST_INSECURE", "on");
    try (NodeUnderTest node = NodeUnderTest.serving(folder, told)) {
      assertTrue(node.output().contains("insecure    [grpc] off loopback, not secured"));
    }
  }

  private static int anyEnd(NodeUnderTest one, NodeUnderTest two) {
    eventually("one gives up", WITHIN, () -> one.isAlive() && two.isAlive(), both -> !both);
    return (one.isAlive() ? two : one).awaitEnd();
  }

  private static long upMembers(NodeUnderTest node) {
    return java.util.regex.Pattern.compile("\"status\":\"Up\"")
        .matcher(NodeLifeTest.body(node, "/cluster/members"))
        .results()
        .count();
  }

  private NodeUnderTest started(int node, List<Map<String, String>> settings) throws IOException {
    Path place = Files.createDirectories(folder.resolve("node" + node));
    return NodeUnderTest.started(place, settings.get(node), List.of());
  }

  /** Two nodes of one cluster, each with a certificate, and what both trust. */
  private List<Map<String, String>> settings(
      Certificates one, Certificates two, List<Certificates> trusted) throws IOException {
    Path authorities = folder.resolve("authorities.pem");
    for (Certificates each : trusted) {
      Path single = each.writeCertificate(folder.resolve("single.pem"));
      Files.writeString(
          authorities,
          Files.readString(single),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
    List<String> ports = freePorts(2);
    List<Map<String, String>> all = new ArrayList<>();
    for (Certificates own : List.of(one, two)) {
      String name = "own" + all.size();
      Map<String, String> settings = new HashMap<>();
      settings.put("HOLDFAST_RAFT_PORT", ports.get(all.size()));
      settings.put("HOLDFAST_RAFT_MEMBERS", "127.0.0.1:%s,127.0.0.1:%s".formatted(ports.toArray()));
      settings.put("HOLDFAST_CLUSTER_JOIN_WITHIN", "60s");
      settings.put("HOLDFAST_CLUSTER_TLS_ENABLED", "on");
      settings.put(
          "HOLDFAST_CLUSTER_TLS_CERTIFICATE",
          own.writeCertificate(folder.resolve(name + ".pem")).toString());
      settings.put(
          "HOLDFAST_CLUSTER_TLS_PRIVATE_KEY",
          own.writeKey(folder.resolve(name + "-key.pem")).toString());
      settings.put("HOLDFAST_CLUSTER_TLS_AUTHORITIES", authorities.toString());
      all.add(settings);
    }
    return all;
  }

  private static List<String> freePorts(int count) {
    return Stream.generate(() -> "" + FreePorts.take()).limit(count).toList();
  }
}
