package io.holdfast.bench.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes as processes, observed by their management. */
public final class Cluster implements AutoCloseable {

  public static final int SHARDS = 48;
  static final long UP_WITHIN_MS = 90_000;

  private static final Pattern LEADS = Pattern.compile("leads the log in term \\[(\\d+)]");
  private static final Pattern SHARD = Pattern.compile("\"shardId\":\"(\\d+)\"");
  private static final Pattern OLDEST = Pattern.compile("\"oldest\":\"([^\"]+)\"");
  private static final Pattern UP =
      Pattern.compile("\\{[^{}]*\"node\":\"([^\"]+)\"[^{}]*\"status\":\"Up\"[^{}]*}");

  private final Path root;
  private final List<NodePlace> places;
  private final List<String> jvm;
  private final String members;
  private final Set<String> wanted;
  private final NodeProcess[] nodes;
  private final int[] starts;
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

  Cluster(Path root, List<NodePlace> places) {
    this(root, places, NodeProcess.SMALL);
  }

  private Cluster(Path root, List<NodePlace> places, List<String> jvm) {
    this.root = root;
    this.places = List.copyOf(places);
    this.jvm = List.copyOf(jvm);
    members = places.stream().map(NodePlace::raftAddress).collect(Collectors.joining(","));
    wanted = places.stream().map(NodePlace::akkaAddress).collect(Collectors.toUnmodifiableSet());
    nodes = new NodeProcess[places.size()];
    starts = new int[places.size()];
  }

  /** Starts all on loopback, and waits until all are up. */
  static Cluster onLoopback(Path root, int size) throws IOException {
    return onLoopback(root, size, NodeProcess.SMALL);
  }

  /**
   * Starts all on loopback, and waits until all are up.
   *
   * @param jvm options of each node's JVM that say how much memory it takes
   */
  public static Cluster onLoopback(Path root, int size, List<String> jvm) throws IOException {
    Cluster cluster = new Cluster(root, NodePlace.onLoopback(size), jvm);
    cluster.startAll();
    return cluster;
  }

  void startAll() {
    try {
      all().forEach(this::start);
      awaitAllUp();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  public int size() {
    return nodes.length;
  }

  public List<Integer> all() {
    return IntStream.range(0, nodes.length).boxed().toList();
  }

  List<Integer> others(Set<Integer> but) {
    return all().stream().filter(node -> !but.contains(node)).toList();
  }

  public NodePlace place(int node) {
    return places.get(node);
  }

  public NodeProcess node(int node) {
    return nodes[node];
  }

  void start(int node) {
    nodes[node] =
        NodeProcess.start(
            root.resolve("node-" + node), ++starts[node], places.get(node), members, jvm);
  }

  /** Waits until all nodes serve, and each finds all of them up. */
  long awaitAllUp() {
    return Wait.until(
        "all nodes are up",
        UP_WITHIN_MS,
        () -> all().stream().allMatch(node -> isReady(node) && up(node).equals(wanted)),
        this::state);
  }

  private boolean isReady(int node) {
    if (!nodes[node].isAlive()) {
      throw new IllegalStateException("node " + node + " has ended: " + nodes[node].tail());
    }
    return nodes[node].isReady();
  }

  /** True if every node runs, and sees that all are up and can be reached. */
  boolean isWhole() {
    return all().stream()
        .allMatch(
            node -> nodes[node].isAlive() && nodes[node].isReady() && up(node).equals(wanted));
  }

  /** The nodes that are up, as this one sees it; none while it does not reach all of them. */
  Set<String> up(int node) {
    String members = get(node, "/cluster/members");
    return members.contains("\"unreachable\":[]") ? all(UP, members) : Set.of();
  }

  /** The shards that run on the node. */
  public List<Integer> shards(int node) {
    return all(SHARD, get(node, "/cluster/shards/lock")).stream().map(Integer::valueOf).toList();
  }

  /** Waits until the node runs so many shards, and returns them. */
  public List<Integer> awaitShards(int node, int count) {
    Wait.until(
        "node " + node + " runs shards",
        UP_WITHIN_MS,
        () -> shards(node).size() >= count,
        this::state);
    return shards(node).stream().limit(count).toList();
  }

  /** The node that Akka's singletons run on, as seen by the first that answers. */
  int oldest() {
    for (int node : all()) {
      Matcher oldest = OLDEST.matcher(nodes[node].isAlive() ? get(node, "/cluster/members") : "");
      if (oldest.find()) {
        String address = oldest.group(1);
        return all().stream()
            .filter(each -> places.get(each).akkaAddress().equals(address))
            .findFirst()
            .orElseThrow();
      }
    }
    throw new IllegalStateException("nobody says who is the oldest: " + state());
  }

  /** The node that leads the log, by the latest term. */
  int leader() {
    int leader = -1;
    long latest = -1;
    for (int node : all()) {
      Matcher leads = LEADS.matcher(nodes[node].log());
      while (leads.find()) {
        long term = Long.parseLong(leads.group(1));
        if (term > latest) {
          latest = term;
          leader = node;
        }
      }
    }
    return leader;
  }

  public String state() {
    StringBuilder state = new StringBuilder();
    for (int node : all()) {
      state.append("\nnode ").append(node);
      if (nodes[node] == null) {
        state.append(" not started");
      } else {
        state.append(nodes[node].isAlive() ? " runs, finds up " + up(node) : " has ended");
        state.append("\n").append(nodes[node].tail());
      }
    }
    return state.toString();
  }

  private String get(int node, String path) {
    try {
      return http.send(
              HttpRequest.newBuilder(URI.create(places.get(node).managementUrl(path)))
                  .timeout(Duration.ofSeconds(2))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private static Set<String> all(Pattern pattern, String text) {
    List<String> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return new HashSet<>(found);
  }

  /** Ends all processes with kill -9, without waiting for one before the next. */
  void killAll() {
    for (NodeProcess node : nodes) {
      if (node != null) {
        node.kill();
      }
    }
    for (NodeProcess node : nodes) {
      if (node != null) {
        node.awaitEnd(10_000);
      }
    }
  }

  @Override
  public void close() {
    killAll();
  }
}
