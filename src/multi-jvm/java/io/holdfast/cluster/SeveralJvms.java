package io.holdfast.cluster;

import akka.remote.testconductor.RoleName;
import akka.remote.testkit.MultiNodeSpec;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.config.HoldfastSettings;
import io.holdfast.server.HoldfastNode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import scala.jdk.javaapi.CollectionConverters;

/** A test in several JVMs, three of which run a node each: those whose roles come first. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SeveralJvms extends MultiNodeSpec {

  static final Duration WITHIN = Duration.ofSeconds(60);

  private static final int NODES = 3;

  /**
   * A name that all JVMs of one run share: the port of their conductor, which is that run's alone.
   */
  static final Path SHARED =
      Path.of(
          System.getProperty("java.io.tmpdir"),
          "holdfast-jvms-" + System.getProperty("multinode.server-port"));

  private final List<RoleName> all;
  @Nullable HoldfastNode node;

  SeveralJvms(ThreeNodes roles) {
    super(roles);
    this.all = roles.all();
  }

  @BeforeAll
  void begin() throws Exception {
    multiNodeSpecBeforeAll();
    if (isFirst()) {
      removeShared(); // a run that failed leaves its data
      Files.createDirectories(SHARED);
      Files.write(SHARED.resolve("raft"), freePorts());
      Files.write(SHARED.resolve("actors"), freePorts());
    }
    barrier("ports chosen");
  }

  @AfterAll
  void end() throws Exception {
    if (node != null) {
      node.stop().toCompletableFuture().get(WITHIN.toSeconds(), TimeUnit.SECONDS);
    }
    barrier("all stopped");
    if (isFirst()) {
      removeShared();
    }
    multiNodeSpecAfterAll();
  }

  /** Starts this JVM's node. */
  HoldfastNode startNode() throws Exception {
    Config config = config();
    HoldfastNode started =
        HoldfastNode.start(
            config,
            HoldfastSettings.from(config),
            new SplittableRandom()::nextLong,
            code -> {
              throw new AssertionError("the log has failed: " + code);
            });
    node = started;
    return started;
  }

  /** The addresses of the nodes' actors. */
  static List<String> contacts() throws Exception {
    return Files.readAllLines(SHARED.resolve("actors")).stream()
        .map(port -> "127.0.0.1:" + port)
        .toList();
  }

  /** The names of those whose JVMs run a node. */
  List<String> nodes() {
    return all.stream().limit(NODES).map(RoleName::name).toList();
  }

  boolean isFirst() {
    return myself().equals(all.get(0));
  }

  boolean runsNode() {
    return nodes().contains(myself().name());
  }

  void barrier(String name) {
    enterBarrier(CollectionConverters.asScala(List.of(name)).toSeq());
  }

  private Config config() throws Exception {
    List<String> raft = Files.readAllLines(SHARED.resolve("raft"));
    List<String> actors = Files.readAllLines(SHARED.resolve("actors"));
    String members =
        raft.stream().map(port -> "\"127.0.0.1:" + port + "\"").collect(Collectors.joining(","));
    int place = nodes().indexOf(myself().name());
    return ConfigFactory.parseString(
            """
            holdfast {
              data-dir = "%s"
              grpc.port = 0
              management.port = 0
              admin.port = 0
              cluster.port = %s
              raft { port = %s, members = [%s] }
            }
            """
                .formatted(
                    SHARED.resolve("data-" + place), actors.get(place), raft.get(place), members))
        .withFallback(ConfigFactory.defaultOverrides())
        .withFallback(ConfigFactory.parseResources("holdfast-node.conf"))
        .withFallback(ConfigFactory.defaultReferenceUnresolved())
        .resolve();
  }

  private static List<String> freePorts() throws Exception {
    List<ServerSocket> held = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    }
    List<String> ports =
        held.stream().map(socket -> Integer.toString(socket.getLocalPort())).toList();
    for (ServerSocket socket : held) {
      socket.close();
    }
    return ports;
  }

  private static void removeShared() throws Exception {
    if (!Files.exists(SHARED)) {
      return;
    }
    try (Stream<Path> files = Files.walk(SHARED)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
