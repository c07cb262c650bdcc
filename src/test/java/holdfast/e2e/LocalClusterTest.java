package holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import holdfast.client.Grant;
import holdfast.client.HoldfastClient;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The local cluster as its user sees it: up, status, a lock through two of its nodes, down. */
class LocalClusterTest {

  private static final Duration COMMAND_WITHIN = Duration.ofMinutes(2);
  private static final int PORTS = 12;

  @TempDir private Path folder;

  @Test
  void three_nodes_come_up_share_a_lock_and_go_down() throws Exception {
    int port = freePorts();
    Path cluster = folder.resolve("cluster");
    try {
      assertEquals(1, run("status", port, cluster).exitCode());
      Ended up = run("up", port, cluster);
      assertEquals(0, up.exitCode(), up::output);
      assertEquals(3, up.output().lines().filter(line -> line.contains(" serves: ")).count());
      Ended status = run("status", port, cluster);
      assertEquals(0, status.exitCode(), status::output);
      assertEquals(3, status.output().lines().filter(line -> line.contains(", ready;")).count());
      assertEquals(0, run("up", port, cluster).exitCode(), "what is up stays up");

      try (HoldfastClient first = HoldfastClient.connect("127.0.0.1:" + port);
          HoldfastClient second = HoldfastClient.connect("127.0.0.1:" + (port + 4))) {
        Grant held = first.lock("k").withTtl(Duration.ofHours(1)).acquire(Duration.ofSeconds(10));
        assertTrue(second.lock("k").tryAcquire().isEmpty());
        assertTrue(held.release());
        assertTrue(second.lock("k").tryAcquire().orElseThrow().release());
      }
    } finally {
      Ended down = run("down", port, cluster);
      assertEquals(0, down.exitCode(), down::output);
    }
    Ended after = run("status", port, cluster);
    assertEquals(3, after.output().lines().filter(line -> line.contains(": down;")).count());
    assertFalse(Files.exists(cluster.resolve("node1/pid")));
  }

  private record Ended(int exitCode, String output) {}

  private Ended run(String command, int port, Path cluster) throws Exception {
    Path out = folder.resolve("out.log");
    ProcessBuilder builder =
        new ProcessBuilder("deploy/local/" + command, cluster.toString())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(out.toFile()));
    builder.environment().put("HOLDFAST_LOCAL_PORT", Integer.toString(port));
    builder.environment().put("HOLDFAST_LOCAL_JAVA", "-Xmx256m -XX:TieredStopAtLevel=1");
    builder.environment().put("HOLDFAST_LOCAL_NODE", node().toString());
    Process process = builder.start();
    assertTrue(process.waitFor(COMMAND_WITHIN.toSeconds(), TimeUnit.SECONDS), command);
    return new Ended(process.exitValue(), Files.readString(out));
  }

  /** A start script for what was compiled, so that the test needs no staged folder. */
  private Path node() throws IOException {
    Path script = folder.resolve("node");
    Files.writeString(
        script,
        """
        #!/usr/bin/env bash
        exec '%s/bin/java' $JAVA_OPTS "$@" -Dlogback.configurationFile=logback.xml -cp '%s' holdfast.server.Main
        """
            .formatted(System.getProperty("java.home"), System.getProperty("java.class.path")));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script;
  }

  /** The first of as many free ports in a row as a cluster has. */
  private static int freePorts() throws IOException {
    for (int attempt = 0; attempt < 100; attempt++) {
      int first = ThreadLocalRandom.current().nextInt(20_000, 30_000);
      List<ServerSocket> sockets = new ArrayList<>();
      try {
        for (int port = first; port < first + PORTS; port++) {
          sockets.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        }
        return first;
      } catch (IOException e) {
        // One is taken: try elsewhere.
      } finally {
        for (ServerSocket socket : sockets) {
          socket.close();
        }
      }
    }
    throw new AssertionError("no " + PORTS + " free ports in a row");
  }
}
