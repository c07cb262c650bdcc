package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that cannot start says why: a line for each fault, nothing else, and an exit code. */
class BadStartTest {

  @TempDir private Path folder;

  @Test
  void a_port_in_use() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      String errors =
          errors(
              69,
              Map.of(
                  "HOLDFAST_GRPC_PORT", port,
                  "HOLDFAST_MANAGEMENT_PORT", port,
                  "HOLDFAST_RAFT_PORT", port,
                  "HOLDFAST_ADMIN_PORT", port));
      assertLines(
          List.of(
              "holdfast: the grpc address [127.0.0.1:%s] cannot be had: Address already in use;"
                      .formatted(port)
                  + " holdfast.grpc.host and .port set it",
              "holdfast: the management address [127.0.0.1:%s] cannot be had: Address already in"
                      .formatted(port)
                  + " use; holdfast.management.host and .port set it",
              "holdfast: the raft address [127.0.0.1:%s] cannot be had: Address already in use;"
                      .formatted(port)
                  + " holdfast.raft.host and .port set it",
              "holdfast: the admin address [127.0.0.1:%s] cannot be had: Address already in use;"
                      .formatted(port)
                  + " holdfast.admin.host and .port set it"),
          errors);
    }
  }

  @Test
  void a_host_that_is_not_known() {
    assertLines(
        List.of("holdfast: the grpc host [no.such.host.invalid] is not known"),
        errors(69, Map.of("HOLDFAST_GRPC_HOST", "no.such.host.invalid")));
  }

  @Test
  void a_data_directory_that_cannot_be_written() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "in the way");
    Path data = file.resolve("data");
    String errors = errors(73, Map.of("HOLDFAST_DATA_DIR", data.toString()));
    assertEquals(1, errors.lines().count(), errors);
    assertTrue(
        errors.startsWith("holdfast: the data directory [" + data + "] cannot be used: "), errors);
  }

  @Test
  void a_data_directory_that_another_node_has() {
    try (NodeUnderTest first = NodeUnderTest.serving(folder)) {
      Path data = first.dataDirectory();
      assertLines(
          List.of("holdfast: the data directory [" + data + "] is in use by another node"),
          errors(73, Map.of("HOLDFAST_DATA_DIR", data.toString())));
    }
  }

  @Test
  void a_wrong_configuration_with_all_its_faults() {
    String errors =
        errors(78, Map.of("HOLDFAST_GRPC_PORT", "70000", "HOLDFAST_CLUSTER_PORT", "many"));
    List<String> lines = errors.lines().toList();
    assertEquals(2, lines.size(), errors);
    assertTrue(
        lines.get(0).startsWith("holdfast: holdfast.grpc.port [70000] is not in [0, 65535]"),
        errors);
    assertTrue(lines.get(1).startsWith("holdfast: holdfast.cluster.port cannot be read: "), errors);
  }

  @Test
  void settings_of_the_journal_s_plugins_that_must_stay() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("breaker.conf"),
            """
            holdfast.journal-2.circuit-breaker.max-failures = 10
            holdfast.journal-1.replay-filter.mode = repair-by-discard-old
            """);
    assertLines(
        List.of(
            "holdfast: holdfast.journal-1.replay-filter.mode [repair-by-discard-old] must be"
                + " [fail]",
            "holdfast: holdfast.journal-2.circuit-breaker.max-failures [10] must be [2147483647]"),
        errors(78, Map.of("HOLDFAST_CONFIG", file.toString())));
  }

  @Test
  void a_node_that_is_not_up_in_its_cluster_in_time() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("two.conf"),
            """
            akka.cluster.min-nr-of-members = 2
            holdfast.cluster.join-within = 2s
            """);
    NodeUnderTest node =
        NodeUnderTest.started(own(), Map.of("HOLDFAST_CONFIG", file.toString()), List.of());
    assertEquals(75, node.awaitEnd(), () -> node.errors() + node.output());
    assertLines(List.of("holdfast: the cluster did not come up within 2 s"), node.errors());
  }

  @Test
  void files_for_tls_with_clients_that_are_missing() {
    Path none = folder.resolve("none.pem");
    String errors =
        errors(
            78,
            Map.of(
                "HOLDFAST_GRPC_TLS_ENABLED", "on",
                "HOLDFAST_GRPC_TLS_CERTIFICATE", none.toString(),
                "HOLDFAST_GRPC_TLS_PRIVATE_KEY", none.toString(),
                "HOLDFAST_GRPC_TLS_CLIENT_AUTHORITIES", none.toString()));
    assertEquals(3, errors.lines().count(), errors);
    assertTrue(errors.startsWith("holdfast: the certificate file [" + none + "] cannot"), errors);
  }

  @Test
  void a_configuration_file_that_is_missing() {
    Path file = folder.resolve("missing.conf");
    assertLines(
        List.of("holdfast: the configuration file [" + file + "] cannot be read"),
        errors(78, Map.of("HOLDFAST_CONFIG", file.toString())));
  }

  @Test
  void an_argument_that_is_not_known() {
    NodeUnderTest node = NodeUnderTest.started(own(), Map.of(), List.of("--port", "1"));
    assertEquals(64, node.awaitEnd());
    assertLines(List.of("holdfast: unknown argument [--port]; --help tells more"), node.errors());
  }

  private String errors(int exitCode, Map<String, String> environment) {
    NodeUnderTest node = NodeUnderTest.started(own(), environment, List.of());
    int ended = node.awaitEnd();
    assertEquals(exitCode, ended, () -> node.errors() + node.output());
    assertEquals("", node.output());
    return node.errors();
  }

  private Path own() {
    try {
      return Files.createTempDirectory(folder, "node");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertLines(List<String> expected, String actual) {
    assertEquals(expected, actual.lines().toList());
  }
}
