package io.holdfast.bench.cluster;

import io.holdfast.bench.cluster.NodeClient.Answer;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One cut of a cluster, from the moment it is made until all are up again. */
final class CutTrial {

  private static final long SESSION_MS = 2_000;

  /** A cut is made by some commands, one after the other; and this is not a fast machine. */
  private static final long GRACE_MS = 300;

  private static final long SERVED_WITHIN_MS = 30_000;
  private static final long ENDS_WITHIN_MS = 60_000;
  private static final long ANSWER_WITHIN_MS = 1_000;
  private static final long WHOLE_FOR_MS = 3_000;
  private static final int CLUSTER_EXIT_CODE = 75;

  private final Cluster cluster;
  private final Network network;
  private final HeldLocks held;
  private final Claims claims;
  private final PrintWriter out;

  /** A shard of each node that has to refuse: it knows the locks of it. */
  private final Map<Integer, Integer> own = new TreeMap<>();

  private final Map<Integer, Long> endedAfter = new TreeMap<>();

  CutTrial(Cluster cluster, Network network, HeldLocks held, Claims claims, PrintWriter out) {
    this.cluster = cluster;
    this.network = network;
    this.held = held;
    this.claims = claims;
    this.out = out;
  }

  void run(Cut cut, int seconds) {
    int leader = cluster.leader();
    cut.refuses().forEach(node -> own.put(node, cluster.awaitShards(node, 1).get(0)));
    cut.make(network);
    long at = System.nanoTime();
    Map<Integer, Prober> probers = new TreeMap<>();
    List<Integer> shards =
        cut.isDeafness() ? IntStream.range(0, Cluster.SHARDS).boxed().toList() : someOfEach();
    for (int node : cluster.others(cut.refuses())) {
      probers.put(node, Prober.begun(cluster.place(node), shards));
    }
    String served = watch(cut, at, probers, TimeUnit.SECONDS.toMillis(seconds));
    probers.values().forEach(Prober::close);
    if (!cut.serves().isEmpty()) {
      held.check(cluster, List.copyOf(cut.serves()), claims);
    }
    if (cut.refuses().isEmpty()) {
      awaitExpulsion(cut, at);
    }
    cut.heal(network);
    long healed = System.nanoTime();
    if (!cut.serves().isEmpty()) {
      awaitTheLeft(cut, healed, at);
    }
    recover(cut, at);
    held.check(cluster, cluster.all(), claims);
    out.printf(
        "%-9s %d of %d nodes, between %s, leader %d%n",
        cut.name(), cut.refuses().size(), cluster.size(), cut.ends(), leader);
    out.printf("          served: %s%n", served.isEmpty() ? "nobody" : served);
    out.printf(
        "          ended: %s, healed after %d ms, all up %d ms later%n",
        endedAfter, TimeUnit.NANOSECONDS.toMillis(healed - at), Wait.sinceMs(healed));
    out.flush();
  }

  /** Restarts nodes that have ended, until all stay up. */
  private void recover(Cut cut, long at) {
    long wholeSince = 0;
    long start = System.nanoTime();
    while (wholeSince == 0 || Wait.sinceMs(wholeSince) < WHOLE_FOR_MS) {
      noteEnds(at);
      Set<Integer> ended = ended();
      if (ended.size() == cluster.size()) {
        claims.violation("I12: all nodes have ended in the cut [" + cut.name() + "]");
      }
      ended.forEach(cluster::start);
      wholeSince = !cluster.isWhole() ? 0 : wholeSince == 0 ? System.nanoTime() : wholeSince;
      if (Wait.sinceMs(start) > Cluster.UP_WITHIN_MS) {
        throw new IllegalStateException("not whole after a cut: " + cluster.state());
      }
      Wait.pause(100);
    }
  }

  /** A few shards, so that there are some of each node. */
  private List<Integer> someOfEach() {
    return cluster.all().stream()
        .flatMap(node -> cluster.shards(node).stream().limit(2))
        .collect(Collectors.toList());
  }

  /** Keeps the cut for a while, and reports the times at which nodes served all locks. */
  private String watch(Cut cut, long at, Map<Integer, Prober> probers, long forMs) {
    Map<Integer, Long> served = new TreeMap<>();
    while (Wait.sinceMs(at) < forMs
        || (Wait.sinceMs(at) < SERVED_WITHIN_MS && !isServed(cut, probers))) {
      noteEnds(at);
      if (Wait.sinceMs(at) > SESSION_MS + GRACE_MS) {
        cut.refuses().forEach(node -> mustRefuse(node, cut));
      }
      Wait.pause(20);
    }
    probers.forEach(
        (node, prober) -> {
          if (prober.isDone()) {
            List<Long> granted = prober.grantedAt();
            served.put(node, TimeUnit.NANOSECONDS.toMillis(granted.get(granted.size() - 1) - at));
          }
        });
    if (!isServed(cut, probers)) {
      claims.violation("I12: in the cut [%s] only %s served".formatted(cut.name(), served));
    }
    return served.entrySet().stream()
        .map(each -> "by node %d after %d ms".formatted(each.getKey(), each.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** True if a majority serves all locks, and every node that must. */
  private boolean isServed(Cut cut, Map<Integer, Prober> probers) {
    Set<Integer> serving = new TreeSet<>();
    probers.forEach(
        (node, prober) -> {
          if (prober.isDone() && cluster.node(node).isAlive()) {
            serving.add(node);
          }
        });
    boolean none = cut.refuses().size() == cluster.size();
    return none || (serving.containsAll(cut.serves()) && 2 * serving.size() > cluster.size());
  }

  private void mustRefuse(int node, Cut cut) {
    if (!cluster.node(node).isAlive()) {
      return;
    }
    int shard = own.getOrDefault(node, 0);
    String key = Keys.of(shard, "held");
    List<Answer> answers = new ArrayList<>();
    try (NodeClient client = new NodeClient(cluster.place(node))) {
      answers.add(client.get(key, ANSWER_WITHIN_MS));
      answers.add(client.tryLock(key, "keeper", 3_600_000, ANSWER_WITHIN_MS));
      answers.add(
          client.tryLock(
              Keys.of(shard, "minority"), UUID.randomUUID().toString(), 1_000, ANSWER_WITHIN_MS));
    }
    for (Answer answer : answers) {
      if (!(answer instanceof Answer.Failed)) {
        claims.violation(
            "I10: in the cut [%s] node %d without a majority answered %s"
                .formatted(cut.name(), node, answer));
      }
    }
  }

  /** Of two nodes that are cut off from each other only one can stay; one is enough. */
  private void awaitExpulsion(Cut cut, long at) {
    while (ended().isEmpty() && Wait.sinceMs(at) < ENDS_WITHIN_MS) {
      Wait.pause(50);
    }
    noteEnds(at);
    Wait.pause(WHOLE_FOR_MS);
    if (ended().size() != 1 || !cut.ends().containsAll(ended())) {
      claims.violation(
          "in the cut [%s] between %s there ended %s%s"
              .formatted(cut.name(), cut.ends(), ended(), cluster.state()));
    }
  }

  /** A node that was expelled ends once it learns of it. */
  private void awaitTheLeft(Cut cut, long healed, long at) {
    while (Wait.sinceMs(healed) < ENDS_WITHIN_MS && !ended().containsAll(cut.refuses())) {
      noteEnds(at);
      Wait.pause(50);
    }
    noteEnds(at);
    if (!ended().equals(cut.refuses())) {
      claims.violation(
          "after the cut [%s] nodes %s were left behind, and there ended %s%s"
              .formatted(cut.name(), cut.refuses(), ended(), cluster.state()));
    }
  }

  private void noteEnds(long at) {
    for (int node : ended()) {
      if (endedAfter.putIfAbsent(node, Wait.sinceMs(at)) == null) {
        OptionalInt code = cluster.node(node).awaitEnd(1_000);
        if (code.orElse(-1) != CLUSTER_EXIT_CODE) {
          claims.violation(
              "node %d ended with %s: %s".formatted(node, code, cluster.node(node).tail()));
        }
      }
    }
  }

  private Set<Integer> ended() {
    return cluster.all().stream()
        .filter(node -> !cluster.node(node).isAlive())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
