package io.holdfast.bench.cluster;

import io.holdfast.bench.raft.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how long the locks of a node cannot be had after its process was killed. */
@Command(
    name = "fail-over",
    mixinStandardHelpOptions = true,
    description = {
      "Kills a node with kill -9, again and again, and says how long it took until its locks could"
          + " be had by way of each other node: the first of them, and the last.",
      "Fails if a lock that was held is not held under its token afterwards, if a lock was granted"
          + " twice, if a token did not rise, or if the node did not come back."
    })
public final class FailOver extends Scenario {

  private static final long SERVED_WITHIN_MS = 30_000;
  private static final int PROBED_SHARDS = 4;
  private static final long CONNECT_MS = 500;

  /** The times that were measured for one kind of victim. */
  private static final class Measured {
    final Times first = new Times();
    final Times last = new Times();
    final Times back = new Times();
  }

  @Option(names = "--nodes", paramLabel = "N", description = "3 or 5. Default: 3.")
  private int nodes = 3;

  @Option(names = "--rounds", paramLabel = "N", description = "How often each. Default: 5.")
  private int rounds = 5;

  @Option(
      names = "--kill",
      paramLabel = "WHOM",
      split = ",",
      description = "leader, oldest or neither. Default: one after the other.")
  private List<String> kill = List.of("leader", "oldest", "neither");

  @Option(
      names = "--timeline",
      description = "Also says when what happened, by the logs of those that are left.")
  private boolean timeline;

  private final Claims claims = new Claims();
  private final Map<String, Measured> measured = new TreeMap<>();

  @Override
  protected boolean run(Path root, PrintWriter out) throws IOException {
    try (Cluster cluster = Cluster.onLoopback(root, nodes, jvm())) {
      HeldLocks held = HeldLocks.take(cluster, 0);
      try (Contention contention = new Contention(cluster, claims)) {
        contention.begin();
        for (int round = 0; round < rounds; round++) {
          for (String whom : kill) {
            round(cluster, Victim.named(whom), held, out);
          }
        }
      }
      held.check(cluster, cluster.all(), claims);
    }
    measured.forEach(
        (kind, times) -> {
          out.printf("%-18s first lock  %s%n", kind, times.first.line());
          out.printf("%-18s last lock   %s%n", "", times.last.line());
          out.printf("%-18s back and up %s%n", "", times.back.line());
        });
    return Judgement.print(claims, out);
  }

  private List<String> jvm() {
    List<String> jvm = new ArrayList<>(NodeProcess.SMALL);
    if (timeline) {
      jvm.addAll(Timeline.TALKATIVE);
    }
    return jvm;
  }

  private void round(Cluster cluster, Victim kind, HeldLocks held, PrintWriter out) {
    int victim = kind.of(cluster);
    List<Integer> shards = cluster.awaitShards(victim, PROBED_SHARDS);
    String name = Victim.describe(cluster, victim);
    Measured times = measured.computeIfAbsent(name, fresh -> new Measured());
    List<Integer> survivors = cluster.others(Set.of(victim));
    List<Prober> probers = new ArrayList<>();
    for (int survivor : survivors) {
      probers.add(new Prober(cluster.place(survivor), shards));
    }
    Wait.pause(CONNECT_MS);
    LocalTime killedAt = LocalTime.now(ZoneId.systemDefault());
    long at = cluster.node(victim).kill();
    probers.forEach(Prober::begin);
    try {
      Wait.until(
          "the locks of node " + victim + " (" + name + ") are served",
          SERVED_WITHIN_MS,
          () -> probers.stream().allMatch(Prober::isDone),
          cluster::state);
    } catch (IllegalStateException e) {
      claims.violation("I12: " + e.getMessage());
    }
    StringBuilder line = new StringBuilder(name + ", node " + victim + ":");
    for (int i = 0; i < probers.size(); i++) {
      List<Long> granted = probers.get(i).grantedAt();
      if (!granted.isEmpty()) {
        long first = TimeUnit.NANOSECONDS.toMillis(granted.get(0) - at);
        long last = TimeUnit.NANOSECONDS.toMillis(granted.get(granted.size() - 1) - at);
        times.first.add(first);
        times.last.add(last);
        line.append(" by node %d %d to %d ms,".formatted(survivors.get(i), first, last));
      }
    }
    if (timeline) {
      out.println(Timeline.read(cluster, victim, killedAt, survivors).line());
    }
    probers.forEach(Prober::close);
    held.check(cluster, survivors, claims);
    long back = System.nanoTime();
    cluster.start(victim);
    cluster.awaitAllUp();
    times.back.add(Wait.sinceMs(back));
    out.printf("%s back after %d ms%n", line, Wait.sinceMs(back));
    out.flush();
  }
}
