package holdfast.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.remote.testkit.MultiNodeSpec;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import holdfast.client.Grant;
import holdfast.client.HoldfastClient;
import holdfast.client.LockStatus;
import holdfast.config.HoldfastSettings;
import holdfast.server.Node;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import scala.jdk.javaapi.CollectionConverters;

/** Three JVMs form one cluster, and a lock that one of them runs excludes the clients of all. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ClusterFormation extends MultiNodeSpec {

  private static final Duration WITHIN = Duration.ofSeconds(60);
  private static final String KEY = "orders/42";
  private static final List<String> NAMES = List.of("first", "second", "third");

  /** What all three JVMs of one run share: the port of their conductor is that run's alone. */
  private static final Path SHARED =
      Path.of(
          System.getProperty("java.io.tmpdir"),
          "holdfast-formation-" + System.getProperty("multinode.server-port"));

  private final ThreeNodes roles;
  private @Nullable Node node;

  ClusterFormation() {
    this(new ThreeNodes());
  }

  private ClusterFormation(ThreeNodes roles) {
    super(roles);
    this.roles = roles;
  }

  @Override
  public int initialParticipants() {
    return 3;
  }

  @BeforeAll
  void begin() throws Exception {
    multiNodeSpecBeforeAll();
    if (isFirst()) {
      Files.createDirectories(SHARED);
      Files.write(SHARED.resolve("ports"), freePorts(3));
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

  @Test
  @Order(1)
  void three_jvms_form_one_cluster() throws Exception {
    Config config = config(Files.readAllLines(SHARED.resolve("ports")));
    Node started =
        Node.start(
            config,
            HoldfastSettings.from(config),
            new SplittableRandom()::nextLong,
            code -> {
              throw new AssertionError("the log has failed: " + code);
            });
    node = started;
    Files.writeString(
        SHARED.resolve(myself().name()), Long.toString(started.identity().clusterId()));
    barrier("all serve");
    List<String> clusters = new ArrayList<>();
    for (String name : NAMES) {
      clusters.add(Files.readString(SHARED.resolve(name)));
    }
    assertEquals(1, clusters.stream().distinct().count(), clusters::toString);
  }

  @Test
  @Order(2)
  void a_lock_excludes_the_clients_of_all_nodes() throws Exception {
    Node here = Objects.requireNonNull(node);
    try (HoldfastClient client = HoldfastClient.connect(here.grpc().toString())) {
      Optional<Grant> grant = client.lock(KEY).withTtl(Duration.ofMinutes(5)).tryAcquire();
      barrier("all asked");
      LockStatus status = client.get(KEY);
      assertEquals(1, status.holders().size());
      long token = status.holders().get(0).fencingToken();
      assertTrue(grant.isEmpty() || grant.get().fencingToken() == token);
      Files.writeString(
          SHARED.resolve(myself().name() + "-saw"), token + (grant.isPresent() ? " mine" : ""));
      barrier("all have looked");
      List<String> seen = new ArrayList<>();
      for (String name : NAMES) {
        seen.add(Files.readString(SHARED.resolve(name + "-saw")));
      }
      assertEquals(
          1, seen.stream().map(text -> text.split(" ", -1)[0]).distinct().count(), seen::toString);
      assertEquals(1, seen.stream().filter(text -> text.endsWith("mine")).count(), seen::toString);
      barrier("all looked");
    }
  }

  private Config config(List<String> ports) {
    String members =
        ports.stream().map(port -> "\"127.0.0.1:" + port + "\"").collect(Collectors.joining(","));
    int place = NAMES.indexOf(myself().name());
    return ConfigFactory.parseString(
            """
            holdfast {
              data-dir = "%s"
              grpc.port = 0
              management.port = 0
              cluster.port = 0
              raft { port = %s, members = [%s] }
            }
            """
                .formatted(SHARED.resolve("data-" + place), ports.get(place), members))
        .withFallback(ConfigFactory.defaultOverrides())
        .withFallback(ConfigFactory.parseResources("application.conf"))
        .withFallback(ConfigFactory.defaultReferenceUnresolved())
        .resolve();
  }

  private static List<String> freePorts(int count) throws Exception {
    List<ServerSocket> held = new ArrayList<>();
    for (int i = 0; i < count; i++) {
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
    try (Stream<Path> files = Files.walk(SHARED)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private boolean isFirst() {
    return myself().equals(roles.first);
  }

  private void barrier(String name) {
    enterBarrier(CollectionConverters.asScala(List.of(name)).toSeq());
  }
}
