package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The local cluster as its user sees it: up, status, a lock through two of its nodes, down. */
class LocalClusterTest {

  private static final Duration COMMAND_WITHIN = Duration.ofMinutes(2);

  @TempDir private Path folder;

  @Test
  void three_nodes_come_up_share_a_lock_and_go_down() throws Exception {
    Map<String, String> environment = CompiledNode.forLocalCluster(folder);
    int port = Integer.parseInt(environment.get("HOLDFAST_LOCAL_PORT"));
    Path cluster = folder.resolve("cluster");
    try {
      assertEquals(1, run("status", environment, cluster).exitCode());
      Ended up = run("up", environment, cluster);
      assertEquals(0, up.exitCode(), up::output);
      assertEquals(3, up.output().lines().filter(line -> line.contains(" serves: ")).count());
      Ended status = run("status", environment, cluster);
      assertEquals(0, status.exitCode(), status::output);
      assertEquals(3, status.output().lines().filter(line -> line.contains(", ready;")).count());
      assertEquals(0, run("up", environment, cluster).exitCode(), "what is up stays up");

      try (HoldfastClient first = HoldfastClient.connect("127.0.0.1:" + port);
          HoldfastClient second = HoldfastClient.connect("127.0.0.1:" + (port + 10))) {
        Grant held = first.lock("k").withTtl(Duration.ofHours(1)).acquire(Duration.ofSeconds(10));
        assertTrue(second.lock("k").tryAcquire().isEmpty());
        assertTrue(held.release());
        assertTrue(second.lock("k").tryAcquire().orElseThrow().release());
      }
    } finally {
      Ended down = run("down", environment, cluster);
      assertEquals(0, down.exitCode(), down::output);
    }
    Ended after = run("status", environment, cluster);
    assertEquals(3, after.output().lines().filter(line -> line.contains(": down;")).count());
    assertFalse(Files.exists(cluster.resolve("node1/pid")));
  }

  private record Ended(int exitCode, String output) {}

  private Ended run(String command, Map<String, String> environment, Path cluster)
      throws Exception {
    Path out = folder.resolve("out.log");
    ProcessBuilder builder =
        new ProcessBuilder("deploy/local/" + command, cluster.toString())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(out.toFile()));
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertTrue(process.waitFor(COMMAND_WITHIN.toSeconds(), TimeUnit.SECONDS), command);
    return new Ended(process.exitValue(), Files.readString(out));
  }
}
