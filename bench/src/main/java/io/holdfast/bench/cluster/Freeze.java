package io.holdfast.bench.cluster;

import io.holdfast.bench.raft.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Freezes a node for longer than its session lasts, and checks its answers when it goes on. */
@Command(
    name = "freeze",
    mixinStandardHelpOptions = true,
    description = {
      "Freezes a node that owns shards with SIGSTOP, and says how long it took until its locks"
          + " could be had by way of each other node. Meanwhile the locks change hands, and"
          + " requests pile up in the sockets of the frozen node. Then it goes on.",
      "Fails if it answers anything that is not true any more, if its process does not end by"
          + " itself with exit code 75, or if it does not come back when it is started again."
    })
public final class Freeze extends Scenario {

  private static final long SERVED_WITHIN_MS = 30_000;
  private static final long ENDS_WITHIN_MS = 30_000;
  private static final int CLUSTER_EXIT_CODE = 75;
  private static final int PROBED_SHARDS = 4;

  @Option(names = "--nodes", paramLabel = "N", description = "3 or 5. Default: 3.")
  private int nodes = 3;

  @Option(names = "--seconds", paramLabel = "N", description = "For how long. Default: 30.")
  private int seconds = 30;

  @Option(
      names = "--freeze",
      split = ",",
      paramLabel = "WHOM",
      description = "leader, oldest or neither. Default: one after the other.")
  private List<String> freeze = List.of("leader", "oldest", "neither");

  private final Claims claims = new Claims();

  @Override
  protected boolean run(Path root, PrintWriter out) throws IOException {
    try (Cluster cluster = Cluster.onLoopback(root, nodes)) {
      HeldLocks held = HeldLocks.take(cluster, 0);
      try (Contention contention = new Contention(cluster, claims)) {
        contention.begin();
        for (String whom : freeze) {
          round(cluster, Victim.named(whom), held, out);
        }
      }
    } catch (IllegalStateException e) {
      claims.violation("I12: " + e.getMessage());
    }
    return Judgement.print(claims, out);
  }

  private void round(Cluster cluster, Victim kind, HeldLocks held, PrintWriter out) {
    int victim = kind.of(cluster);
    String name = Victim.describe(cluster, victim);
    List<Integer> shards = cluster.awaitShards(victim, PROBED_SHARDS);
    List<Integer> others = cluster.others(Set.of(victim));
    try (StaleRequests stale =
        StaleRequests.prepare(cluster, victim, others.get(0), cluster.shards(victim))) {
      cluster.node(victim).signal("STOP");
      long at = System.nanoTime();
      List<Prober> probers =
          others.stream().map(node -> Prober.begun(cluster.place(node), shards)).toList();
      stale.pileUp();
      Wait.until(
          "the locks of the frozen node " + victim + " are served",
          SERVED_WITHIN_MS,
          () -> probers.stream().allMatch(Prober::isDone),
          () -> others.stream().map(node -> cluster.node(node).tail()).toList().toString());
      String served =
          probers.stream()
              .map(prober -> last(prober, at) + " ms")
              .collect(Collectors.joining(", "));
      probers.forEach(Prober::close);
      stale.changeHands();
      held.check(cluster, others, claims);
      while (Wait.sinceMs(at) < TimeUnit.SECONDS.toMillis(seconds)) {
        stale.pileUp();
        Wait.pause(500);
      }
      long continued = System.nanoTime();
      cluster.node(victim).signal("CONT");
      OptionalInt code = OptionalInt.empty();
      while (Wait.sinceMs(continued) < ENDS_WITHIN_MS && code.isEmpty()) {
        stale.pileUp();
        code = cluster.node(victim).awaitEnd(10);
      }
      long ended = Wait.sinceMs(continued);
      String answers = stale.judge(claims);
      if (code.orElse(-1) != CLUSTER_EXIT_CODE) {
        claims.violation(
            "the frozen node ended with %s: %s".formatted(code, cluster.node(victim).tail()));
        cluster.node(victim).kill();
        cluster.node(victim).awaitEnd(ENDS_WITHIN_MS);
      }
      long back = System.nanoTime();
      cluster.start(victim);
      cluster.awaitAllUp();
      held.check(cluster, cluster.all(), claims);
      out.printf(
          "%s, node %d: others served after %s; it ended %d ms after it went on, and answered %s;"
              + " back after %d ms%n",
          name, victim, served, ended, answers, Wait.sinceMs(back));
      out.flush();
    }
  }

  private static long last(Prober prober, long at) {
    List<Long> granted = prober.grantedAt();
    return TimeUnit.NANOSECONDS.toMillis(granted.get(granted.size() - 1) - at);
  }
}
