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

/**
 * Restarts the nodes one after the other, and then kills all at once; measures how long locks
 * cannot be had, and checks that none is lost.
 */
@Command(
    name = "leave",
    mixinStandardHelpOptions = true,
    description = {
      "Restarts one node after the other with SIGTERM, and says how long the process took to end,"
          + " and for how long at most a lock of its could not be had. Then kills all nodes at once"
          + " with kill -9, starts them again, and says when they served.",
      "Fails if a lock that was held is not held under its token afterwards, if a lock was granted"
          + " twice, if a token did not rise, if a step of leaving timed out, or if a node did not"
          + " come back."
    })
public final class Leave extends Scenario {

  private static final long ENDS_WITHIN_MS = 30_000;
  private static final long SERVED_WITHIN_MS = 60_000;
  private static final int SIGTERM_EXIT_CODE = 143;
  private static final int PROBED_SHARDS = 3;

  /** Akka's words for a step of the shutdown that did not end in time. */
  private static final String TIMED_OUT = " timed out";

  private static final long SETTLE_MS = 1_000;

  @Option(names = "--nodes", paramLabel = "N", description = "3 or 5. Default: 3.")
  private int nodes = 3;

  @Option(names = "--rounds", paramLabel = "N", description = "How often. Default: 1.")
  private int rounds = 1;

  private final Claims claims = new Claims();
  private final Times gaps = new Times();
  private final Times ends = new Times();
  private final Times served = new Times();

  @Override
  protected boolean run(Path root, PrintWriter out) throws IOException {
    try (Cluster cluster = Cluster.onLoopback(root, nodes)) {
      HeldLocks held = HeldLocks.take(cluster, 0);
      for (int round = 0; round < rounds; round++) {
        try (Contention contention = new Contention(cluster, claims)) {
          contention.begin();
          cluster.all().forEach(node -> restart(cluster, node, held, out));
        }
        restartAll(cluster, held, out);
      }
    } catch (IllegalStateException e) {
      claims.violation("I12: " + e.getMessage());
    }
    out.printf("longest time without a lock   %s%n", gaps.line());
    out.printf("SIGTERM to the process's end  %s%n", ends.line());
    out.printf("start of all to the last lock %s%n", served.line());
    return Judgement.print(claims, out);
  }

  private void restart(Cluster cluster, int node, HeldLocks held, PrintWriter out) {
    List<Integer> shards = cluster.awaitShards(node, PROBED_SHARDS);
    String name = Victim.describe(cluster, node);
    int survivor = cluster.others(Set.of(node)).get(0);
    long gap;
    OptionalInt code;
    long took;
    try (Availability availability = new Availability(cluster.place(survivor), shards)) {
      Wait.pause(SETTLE_MS);
      long at = cluster.node(node).terminate();
      code = cluster.node(node).awaitEnd(ENDS_WITHIN_MS);
      took = Wait.sinceMs(at);
      Wait.pause(SETTLE_MS);
      availability.end();
      gap = availability.longestGapMs();
    }
    if (code.orElse(-1) != SIGTERM_EXIT_CODE) {
      claims.violation(
          "after SIGTERM node %d ended with %s: %s"
              .formatted(node, code, cluster.node(node).tail()));
      cluster.node(node).kill();
      cluster.node(node).awaitEnd(ENDS_WITHIN_MS);
    }
    if (cluster.node(node).log().contains(TIMED_OUT)) {
      claims.violation(
          "after SIGTERM a step of node %d's leaving timed out: %s"
              .formatted(node, cluster.node(node).tail()));
    }
    gaps.add(gap);
    ends.add(took);
    held.check(cluster, cluster.others(Set.of(node)), claims);
    long back = System.nanoTime();
    cluster.start(node);
    cluster.awaitAllUp();
    out.printf(
        "SIGTERM to node %d, %s: ended after %d ms, a lock could not be had for %d ms, back after"
            + " %d ms%n",
        node, name, took, gap, Wait.sinceMs(back));
    out.flush();
  }

  private void restartAll(Cluster cluster, HeldLocks held, PrintWriter out) {
    cluster.killAll();
    long at = System.nanoTime();
    cluster.all().forEach(cluster::start);
    List<Integer> shards =
        java.util.stream.IntStream.range(0, Cluster.SHARDS)
            .filter(shard -> shard % 4 == 0)
            .boxed()
            .collect(Collectors.toList());
    List<Prober> probers =
        cluster.all().stream().map(node -> Prober.begun(cluster.place(node), shards)).toList();
    Wait.until(
        "all shards are served",
        SERVED_WITHIN_MS,
        () -> probers.stream().allMatch(Prober::isDone),
        cluster::state);
    long first = Long.MAX_VALUE;
    long last = 0;
    for (Prober prober : probers) {
      List<Long> granted = prober.grantedAt();
      first = Math.min(first, TimeUnit.NANOSECONDS.toMillis(granted.get(0) - at));
      last = Math.max(last, TimeUnit.NANOSECONDS.toMillis(granted.get(granted.size() - 1) - at));
      prober.close();
    }
    served.add(last);
    long up = cluster.awaitAllUp();
    held.check(cluster, cluster.all(), claims);
    out.printf(
        "kill -9 of all: started again, first lock after %d ms, of every fourth shard by every"
            + " node, after %d ms, all up %d ms later%n",
        first, last, up);
    out.flush();
  }
}
