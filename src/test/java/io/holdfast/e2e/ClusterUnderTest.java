package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.holdfast.fixtures.FreePorts;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.LockServiceGrpc.LockServiceBlockingStub;
import io.holdfast.v1.LockServiceGrpc.LockServiceFutureStub;
import io.holdfast.v1.LockServiceGrpc.LockServiceStub;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Three nodes as processes of their own on loopback, and a connection to each. */
final class ClusterUnderTest implements AutoCloseable {

  static final int SIZE = 3;

  /** For whatever a busy machine may take a while for. */
  static final Duration WITHIN = Duration.ofSeconds(30);

  private static final Duration START_WITHIN = Duration.ofSeconds(90);
  private static final List<String> SERVERS =
      List.of("GRPC", "MANAGEMENT", "CLUSTER", "RAFT", "ADMIN");

  /** On a busy machine a node may lose sight of the majority for a moment. */
  private static final Map<String, ?> RETRIES =
      Map.of(
          "methodConfig",
          List.of(
              Map.of(
                  "name",
                  List.of(Map.of("service", LockServiceGrpc.SERVICE_NAME)),
                  "retryPolicy",
                  Map.of(
                      "maxAttempts",
                      5.0,
                      "initialBackoff",
                      "0.2s",
                      "maxBackoff",
                      "2s",
                      "backoffMultiplier",
                      2.0,
                      "retryableStatusCodes",
                      List.of("UNAVAILABLE")))));

  private static final Pattern LEADS = Pattern.compile("leads the log in term \\[(\\d+)]");

  private final Path folder;
  private final List<Map<String, String>> environments;
  private final List<String> jvm;
  private final NodeUnderTest[] nodes = new NodeUnderTest[SIZE];
  private final ManagedChannel[] channels = new ManagedChannel[SIZE];
  private final long[] members = new long[SIZE];

  private ClusterUnderTest(Path folder, List<Map<String, String>> environments, List<String> jvm) {
    this.folder = folder;
    this.environments = environments;
    this.jvm = jvm;
  }

  /**
   * The three nodes of all tests that leave them as they are. They start with the first such test
   * and end with this process. A test has keys of its own, and sees what others' tests left.
   */
  static ClusterUnderTest shared() {
    return Shared.CLUSTER;
  }

  private static final class Shared {
    static final ClusterUnderTest CLUSTER = start();

    private static ClusterUnderTest start() {
      try {
        Path folder = Files.createTempDirectory("holdfast-cluster");
        ClusterUnderTest started = serving(folder);
        Runtime.getRuntime()
            .addShutdownHook(
                new Thread(
                    () -> {
                      started.close();
                      delete(folder);
                    }));
        return started;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void delete(Path folder) {
      try (Stream<Path> all = Files.walk(folder)) {
        all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Starts three nodes below the folder, and waits until each serves linearizable reads. */
  static ClusterUnderTest serving(Path folder) {
    return serving(folder, List.of());
  }

  /** As {@link #serving(Path)}, with options of the nodes' JVMs. */
  static ClusterUnderTest serving(Path folder, List<String> jvm) {
    ClusterUnderTest cluster = new ClusterUnderTest(folder, environments(), jvm);
    try {
      IntStream.range(0, SIZE).forEach(cluster::start);
      IntStream.range(0, SIZE).forEach(cluster::awaitServing);
      return cluster;
    } catch (AssertionError | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private static List<Map<String, String>> environments() {
    List<Map<String, String>> all = new ArrayList<>();
    List<String> raft = new ArrayList<>();
    for (int node = 0; node < SIZE; node++) {
      Map<String, String> environment = new HashMap<>();
      for (String server : SERVERS) {
        environment.put("HOLDFAST_" + server + "_PORT", Integer.toString(FreePorts.take()));
      }
      raft.add("127.0.0.1:" + environment.get("HOLDFAST_RAFT_PORT"));
      all.add(environment);
    }
    all.forEach(environment -> environment.put("HOLDFAST_RAFT_MEMBERS", String.join(",", raft)));
    return all;
  }

  private void start(int node) {
    try {
      Path place = Files.createDirectories(folder.resolve("node" + node));
      nodes[node] = NodeUnderTest.started(place, environments.get(node), List.of(), jvm);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitServing(int node) {
    nodes[node].awaitServing(START_WITHIN);
    channels[node] = connect(node);
    members[node] =
        eventually(
            "node " + node + " answers",
            START_WITHIN,
            () -> {
              try {
                return get(node, "is-anyone-there").getHeader().getMemberId();
              } catch (StatusRuntimeException e) {
                return 0L;
              }
            },
            member -> member != 0);
  }

  LockServiceBlockingStub node(int node) {
    return LockServiceGrpc.newBlockingStub(channels[node])
        .withDeadlineAfter(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
  }

  LockServiceFutureStub future(int node) {
    return LockServiceGrpc.newFutureStub(channels[node]);
  }

  LockServiceStub stream(int node) {
    return LockServiceGrpc.newStub(channels[node]);
  }

  /** A connection of its own, which the caller closes. It asks again as clients do. */
  ManagedChannel connect(int node) {
    return Grpc.newChannelBuilder(nodes[node].grpcAddress(), InsecureChannelCredentials.create())
        .defaultServiceConfig(RETRIES)
        .build();
  }

  /** The address for clients of the node. */
  String address(int node) {
    return nodes[node].grpcAddress();
  }

  /** One lock as the node knows it, with all that may be asked of it. */
  GetLockResponse get(int node, String key) {
    return node(node).getLock(GetLockRequest.newBuilder().setKey(key).setWaiterLimit(1000).build());
  }

  /** Waits until so many wait for the lock, by the word of the node. */
  GetLockResponse awaitWaiters(int node, String key, int count) {
    return eventually(
        "waiters for " + key,
        WITHIN,
        () -> getIfAvailable(node, key),
        lock -> lock.getWaiterCount() == count && lock.getWaitersCount() == count);
  }

  /** Without a leader, as between two, nobody knows what is true: then nothing is known yet. */
  private GetLockResponse getIfAvailable(int node, String key) {
    try {
      return get(node, key);
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.UNAVAILABLE) {
        return GetLockResponse.newBuilder().setWaiterCount(-1).build();
      }
      throw e;
    }
  }

  /** The node that runs the shard of the key now, by the word of this node. */
  int owner(int asked, String key) {
    long member =
        eventually(
            "owner of " + key,
            WITHIN,
            () -> get(asked, key).getOwner().getMemberId(),
            hint -> IntStream.range(0, SIZE).anyMatch(node -> members[node] == hint));
    return IntStream.range(0, SIZE).filter(node -> members[node] == member).findFirst().orElse(-1);
  }

  /** A key that begins so and runs at this node. */
  String keyOwnedBy(int node, String beginning) {
    for (int i = 0; i < 1_000; i++) {
      String key = beginning + i;
      long token = node(node).lock(Asked.lock(key, "waker").build()).getFencingToken();
      node(node).unlock(Asked.unlock(key, token)); // its shard runs somewhere by now
      if (owner(node, key) == node) {
        return key;
      }
    }
    throw new AssertionError("node " + node + " owns no shard");
  }

  /** The node that leads the log: the one that said so last, by the term. */
  int leader() {
    int leader = -1;
    long latest = -1;
    for (int node = 0; node < SIZE; node++) {
      Matcher leads = LEADS.matcher(nodes[node].output() + nodes[node].errors());
      while (leads.find()) {
        if (Long.parseLong(leads.group(1)) > latest) {
          latest = Long.parseLong(leads.group(1));
          leader = node;
        }
      }
    }
    if (leader < 0) {
      throw new AssertionError("nobody leads the log");
    }
    return leader;
  }

  /** The address of a node's actors. */
  String actors(int node) {
    return "127.0.0.1:" + environments.get(node).get("HOLDFAST_CLUSTER_PORT");
  }

  /** True if the node's process runs. */
  boolean isAlive(int node) {
    return nodes[node].isAlive();
  }

  /** All that the node has written to its log. */
  String told(int node) {
    return nodes[node].output() + nodes[node].errors();
  }

  /** Ends a node with kill -9. */
  void kill(int node) {
    nodes[node].kill();
  }

  /** Waits until a node has ended by itself; returns its exit code. */
  int awaitEnd(int node) {
    return nodes[node].awaitEnd();
  }

  /** Stops a node where it stands: its connections stay, and it does nothing. */
  void freeze(int node) {
    nodes[node].signal("STOP");
  }

  /** Lets a node that was stopped go on. */
  void thaw(int node) {
    nodes[node].signal("CONT");
  }

  /** The address for clients of a node. */
  String endpoint(int node) {
    return nodes[node].grpcAddress();
  }

  /** The addresses for clients of all nodes. */
  String[] endpoints() {
    return IntStream.range(0, SIZE).mapToObj(this::endpoint).toArray(String[]::new);
  }

  /** The address for operators of a node. */
  String adminEndpoint(int node) {
    return nodes[node].adminAddress();
  }

  /** The addresses for operators of all nodes. */
  String[] adminEndpoints() {
    return IntStream.range(0, SIZE).mapToObj(this::adminEndpoint).toArray(String[]::new);
  }

  /** Starts a node that was killed, on the same data, and waits until it serves. */
  void restart(int node) {
    channels[node].shutdownNow();
    start(node);
    awaitServing(node);
  }

  /** Starts all nodes, which were killed, on the same data, and waits until each serves. */
  void restartAll() {
    IntStream.range(0, SIZE).forEach(node -> channels[node].shutdownNow());
    IntStream.range(0, SIZE).forEach(this::start);
    IntStream.range(0, SIZE).forEach(this::awaitServing);
  }

  /** Another one than these. */
  static int other(int... nodes) {
    return IntStream.range(0, SIZE)
        .filter(node -> IntStream.of(nodes).noneMatch(not -> not == node))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    for (int node = 0; node < SIZE; node++) {
      if (channels[node] != null) {
        channels[node].shutdownNow();
      }
      if (nodes[node] != null) {
        nodes[node].close();
      }
    }
  }
}
