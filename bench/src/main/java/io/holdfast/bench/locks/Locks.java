package io.holdfast.bench.locks;

import io.holdfast.bench.cluster.Cluster;
import io.holdfast.bench.cluster.Keys;
import io.holdfast.bench.cluster.NodePlace;
import io.holdfast.bench.cluster.NodeProcess;
import io.holdfast.bench.raft.Scenario;
import io.holdfast.client.HoldfastClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command {@code locks}: the throughput and latency of locks, and the cost of a lock. */
@Command(
    name = "locks",
    mixinStandardHelpOptions = true,
    description = {
      "Starts nodes as processes of their own on loopback, with fsync, and asks them for locks. A"
          + " cycle is a lock and its unlock; each worker has one cycle on its way at any time, on"
          + " a random key. CPU is that of all processes, this one included.",
      "Fails if a lock was granted twice, a token did not rise, the order of a queue was not kept,"
          + " or a request got no answer."
    })
public final class Locks extends Scenario {

  private static final int MAX_WORKERS = 1_000; // all their operations fit into one frame
  private static final int MAX_WAITERS = 10_000;
  private static final long SETTLE_MS = 1_000;

  /** A stall, as that of a full collection, is measured and costs no node. */
  private static final String LONG_SESSION = "-Dholdfast.session.ttl=30s";

  private static final int USUAL_QUEUE = 1_000;
  private static final int USUAL_KEYS = 100_000;
  private static final long MOST_BYTES_EACH = 2_048;

  @Option(
      names = "--workers",
      split = ",",
      paramLabel = "N",
      description = "How many at a time. Default: 1,16,64,256.")
  private List<Integer> workers = List.of(1, 16, 64, 256);

  @Option(names = "--unary", description = "Also by a call for each lock and unlock.")
  private boolean unary;

  @Option(
      names = "--client",
      description = "Also through the Java client, each worker in a thread that waits.")
  private boolean client;

  @Option(names = "--hot", description = "Also hand one key over along a queue of waiters.")
  private boolean hot;

  @Option(
      names = "--waiters",
      split = ",",
      paramLabel = "N",
      description = "In that queue, one after the other. Default: 64.")
  private List<Integer> waiters = List.of(64);

  @Option(
      names = "--memory",
      paramLabel = "N",
      description =
          "Hold so many locks, say what they take, and measure while they are held. Default: none.")
  private int memory;

  @Option(
      names = "--rest",
      paramLabel = "N",
      description =
          "Look at those locks again so many seconds later, when their actors have left memory."
              + " Default: 0, not.")
  private int rest;

  @Option(
      names = "--no-session",
      negatable = true,
      description = "Leave out the cycles over a session's stream.")
  private boolean session = true;

  @Option(
      names = "--streams",
      paramLabel = "WHERE",
      description =
          "The nodes that are asked. one: the first; each: all, a worker has one of them; owner:"
              + " the owner of the key, in a session, as the Java client does. Default: owner.")
  private Routing streams = Routing.OWNER;

  @Option(names = "--seconds", paramLabel = "N", description = "How long each. Default: 10.")
  private int seconds = 10;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Seconds before, for each kind of load. Default: 20.")
  private int warmUp = 20;

  @Option(names = "--keys", paramLabel = "N", description = "How many keys. Default: 100000.")
  private int keys = 100_000;

  @Option(names = "--nodes", paramLabel = "N", description = "How many nodes. Default: 3.")
  private int nodes = 3;

  @Option(names = "--heap", paramLabel = "SIZE", description = "Of each node. Default: 1g.")
  private String heap = "1g";

  @Option(
      names = "--jvm",
      paramLabel = "OPTIONS",
      description = "Options of each node's JVM in place of the start script's.")
  private String jvm = "";

  @Option(names = "--profile", description = "Also an account of the first node's time.")
  private boolean profile;

  @Option(
      names = "--recordings",
      paramLabel = "PATH",
      description = "Where to keep Flight Recorder's files of that account.")
  @Nullable Path recordings;

  private final Findings findings = new Findings();
  private int measurements;

  @Override
  protected boolean run(Path root, PrintWriter out) throws IOException {
    workers.forEach(count -> within("workers", count, 1, MAX_WORKERS));
    waiters.forEach(count -> within("waiters", count, 1, MAX_WAITERS));
    within("memory", memory, 0, 1_000_000);
    within("nodes", nodes, 1, 9);
    if (!jvm.isEmpty()) {
      System.setProperty(NodeProcess.JVM, jvm);
    }
    List<String> options = new ArrayList<>(List.of("-Xms512m", "-Xmx" + heap, LONG_SESSION));
    options.add("-Dholdfast.locks.max-waiters=" + longestQueue());
    if (memory > 0) {
      options.add("-Dholdfast.locks.max-keys-per-lease=" + Math.max(USUAL_KEYS, memory));
      options.add("-Dholdfast.state.max-bytes=" + MOST_BYTES_EACH * (USUAL_KEYS + memory));
    }
    try (Cluster cluster = Cluster.onLoopback(root, nodes, options)) {
      settle(cluster);
      if (memory == 0) {
        measure(cluster, root, out);
      } else {
        hold(cluster, root, out);
      }
    }
    return isRight(out);
  }

  private void measure(Cluster cluster, Path root, PrintWriter out) throws IOException {
    out.println(Measured.HEADER);
    if (session) {
      try (Door door = SessionDoor.open(places(cluster), streams, findings)) {
        cycles("session", door, cluster, root, out);
      }
    }
    if (unary) {
      try (Door door = new CallDoor(places(cluster))) {
        cycles("calls", door, cluster, root, out);
      }
    }
    if (client) {
      throughClient(cluster, root, out);
    }
    if (hot) {
      hot(cluster, root, out);
    }
  }

  private int longestQueue() {
    return Math.max(USUAL_QUEUE, waiters.stream().mapToInt(Integer::intValue).max().orElse(0));
  }

  private void within(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new ParameterException(
          spec.commandLine(),
          "--" + name + " [" + value + "] is not within [" + min + "] and [" + max + "]");
    }
  }

  private List<NodePlace> places(Cluster cluster) {
    List<NodePlace> places = new ArrayList<>();
    for (int node : cluster.all()) {
      if (node == 0 || streams != Routing.ONE) {
        places.add(cluster.place(node));
      }
    }
    return places;
  }

  /** Has every shard run somewhere: they start when something of them is asked for. */
  private void settle(Cluster cluster) {
    try (Door door = SessionDoor.open(List.of(cluster.place(0)), Routing.ONE, findings)) {
      Fill load = new Fill(door, new Truth("first", Cluster.SHARDS * 20, findings), findings);
      load.begin();
      load.await();
    }
    var unused = cluster.awaitShards(0, 1);
  }

  private void cycles(String way, Door door, Cluster cluster, Path root, PrintWriter out)
      throws IOException {
    Truth truth = new Truth(way, keys, findings);
    cycles(way, count -> new Cycles(door, count, truth, findings), cluster, root, out);
  }

  private void throughClient(Cluster cluster, Path root, PrintWriter out) throws IOException {
    String[] endpoints =
        places(cluster).stream().map(at -> at.host() + ":" + at.grpc()).toArray(String[]::new);
    Truth truth = new Truth("client", keys, findings);
    try (HoldfastClient over = HoldfastClient.connect(endpoints)) {
      cycles("client", count -> new ClientCycles(over, count, truth, findings), cluster, root, out);
    }
  }

  private void cycles(
      String way, IntFunction<Load> loads, Cluster cluster, Path root, PrintWriter out)
      throws IOException {
    warmUp(loads.apply(workers.stream().mapToInt(Integer::intValue).max().orElse(1)));
    for (int count : workers) {
      measure(way + ", " + count + " workers", loads.apply(count), cluster, root, out);
    }
  }

  private void hot(Cluster cluster, Path root, PrintWriter out) throws IOException {
    String key = Keys.of(cluster.shards(0).get(0), "hot");
    for (int count : waiters) {
      try (Door door = Sessions.open(cluster.place(0), count + 1, findings)) {
        Truth truth = new Truth(key, 1, findings);
        warmUp(new HotKey(door, count, truth, findings));
        HotKey load = new HotKey(door, count, truth, findings);
        measure("hand-overs, " + count + " waiters", load, cluster, root, out);
      }
    }
  }

  private void warmUp(Load load) {
    load.begin();
    Load.pause(warmUp * 1_000L);
    load.end();
  }

  private void measure(String what, Load load, Cluster cluster, Path root, PrintWriter out)
      throws IOException {
    long failed = findings.failures();
    load.begin();
    Load.pause(SETTLE_MS);
    Path folder = recordings == null ? root : recordings.toAbsolutePath();
    NodeAccount account =
        profile
            ? NodeAccount.begin(
                cluster.node(0).pid(), folder.resolve("account-" + ++measurements + ".jfr"))
            : null;
    Measured measured = Measured.of(load, cluster, seconds * 1_000L);
    List<String> accounted = account == null ? List.of() : account.end(measured.count());
    load.end();
    failed = findings.failures() - failed;
    out.println(measured.line(what) + (failed == 0 ? "" : "   failed: " + failed));
    accounted.forEach(line -> out.println("    " + line));
    out.flush();
    if (measured.nanos().getTotalCount() == 0) {
      findings.wrong("nothing was done: " + what);
    }
  }

  private void hold(Cluster cluster, Path root, PrintWriter out) throws IOException {
    List<Memory> before = memory(cluster);
    try (Door door = SessionDoor.open(List.of(cluster.place(0)), Routing.ONE, findings)) {
      Fill load = new Fill(door, new Truth("held", memory, findings), findings);
      load.begin();
      load.await();
      tell(memory + " locks held", before, cluster, out);
      if (rest > 0) {
        Load.pause(rest * 1_000L);
        tell(memory + " locks held, at rest", before, cluster, out);
      }
      measure(cluster, root, out);
    }
  }

  private void tell(String what, List<Memory> before, Cluster cluster, PrintWriter out)
      throws IOException {
    List<Memory> after = memory(cluster);
    for (int node : cluster.all()) {
      Memory more = after.get(node).minus(before.get(node));
      out.printf(
          Locale.ROOT,
          "%-34s heap %.0f bytes each (%d KB in all), resident %.0f bytes each%n",
          what + ", node " + node,
          (double) more.liveBytes() / memory,
          after.get(node).liveBytes() / 1024,
          (double) more.residentBytes() / memory);
    }
    out.flush();
  }

  private static List<Memory> memory(Cluster cluster) throws IOException {
    List<Memory> memory = new ArrayList<>();
    for (int node : cluster.all()) {
      memory.add(Memory.of(cluster.node(node).pid()));
    }
    return memory;
  }

  private boolean isRight(PrintWriter out) {
    findings.whyFailed().forEach(why -> out.println("failed: " + why));
    findings.allWrong().forEach(what -> out.println("WRONG: " + what));
    return findings.allWrong().isEmpty();
  }
}
