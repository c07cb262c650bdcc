package io.holdfast.bench.cluster;

import io.holdfast.bench.raft.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Cuts nodes off from each other, and checks which of them serve, which refuse, and that nothing is
 * lost.
 */
@Command(
    name = "partitions",
    mixinStandardHelpOptions = true,
    description = {
      "Runs each node in a network namespace of its own, and cuts them off from each other: a"
          + " minority with the log's leader and one without, one direction of one pair, both"
          + " directions of one pair, and two halves of four; and has one node hear nothing of the"
          + " others (deaf), or of clients too (deafer), while they hear it. Then heals the"
          + " network, and starts again who has ended.",
      "Fails if a node without a majority answered anything, if those with one did not go on, if"
          + " all ended, if not all came back, or if anything acknowledged was lost or granted"
          + " twice. Needs root and ip."
    })
public final class Partitions extends Scenario {

  @Option(names = "--nodes", paramLabel = "N", description = "3 or 5. Default: 3.")
  private int nodes = 3;

  @Option(
      names = "--cuts",
      split = ",",
      paramLabel = "NAME",
      description = {
        "leader, follower, one-way, pair, even, and deaf- or deafer- with leader, oldest, neither,"
            + " or both: one that leads and is the oldest. Default: all."
      })
  private List<String> cuts =
      List.of(
          "leader",
          "follower",
          "one-way",
          "pair",
          "even",
          "deaf-leader",
          "deaf-oldest",
          "deaf-neither",
          "deaf-both",
          "deafer-leader",
          "deafer-oldest",
          "deafer-neither",
          "deafer-both");

  @Option(names = "--seconds", paramLabel = "N", description = "How long each. Default: 12.")
  private int seconds = 12;

  @Option(names = "--network", hidden = true, description = "Runs inside of it.")
  private @Nullable String inside;

  @Override
  protected boolean run(Path root, PrintWriter out) throws IOException {
    String network = inside;
    if (network != null) {
      return runInside(root, Network.existing(network), out);
    }
    boolean good = true;
    List<String> uneven = cuts.stream().filter(cut -> !cut.equals("even")).toList();
    if (!uneven.isEmpty()) {
      good = runIn(nodes, uneven, root, out);
    }
    if (cuts.contains("even")) {
      good &= runIn(4, List.of("even"), root, out);
    }
    return good;
  }

  /** The rest happens in a process that can reach the nodes in their namespaces. */
  private boolean runIn(int size, List<String> cuts, Path root, PrintWriter out)
      throws IOException {
    try (Network network = Network.make(size)) {
      List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", network.hub()));
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-Xmx256m", "-Dlogback.configurationFile=member-logback.xml"));
      command.add("-D" + NodeProcess.JVM + "=" + String.join(" ", NodeProcess.jvm()));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of("io.holdfast.bench.Bench", "partitions", "--network", network.name()));
      command.addAll(List.of("--seconds", Integer.toString(seconds)));
      command.addAll(List.of("--nodes", Integer.toString(size)));
      command.addAll(List.of("--cuts", String.join(",", cuts), "--directory", root.toString()));
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      process
          .inputReader(StandardCharsets.UTF_8)
          .lines()
          .forEach(
              line -> {
                out.println(line);
                out.flush();
              });
      return process.waitFor() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean runInside(Path root, Network network, PrintWriter out) {
    Claims claims = new Claims();
    try (Cluster cluster = new Cluster(root, network.places(nodes))) {
      cluster.startAll();
      HeldLocks held = HeldLocks.take(cluster, 0);
      try (Contention contention = new Contention(cluster, claims)) {
        contention.begin();
        for (String name : cuts) {
          new CutTrial(cluster, network, held, claims, out).run(cut(name, cluster), seconds);
        }
      }
      held.check(cluster, cluster.all(), claims);
    } catch (IllegalStateException e) {
      claims.violation("I12: " + e.getMessage());
    }
    return Judgement.print(claims, out);
  }

  /** The node that Akka's singletons run on, which has just come to lead the log, too. */
  private static int bothInOne(Cluster cluster) {
    int oldest = cluster.oldest();
    int leader = cluster.leader();
    if (leader != oldest) {
      NodeClient.letLead(cluster.place(leader), cluster.place(oldest).raftAddress());
      Wait.until(
          "node " + oldest + " leads", 10_000, () -> cluster.leader() == oldest, cluster::state);
    }
    return oldest;
  }

  private static int victim(String name, Cluster cluster) {
    return Victim.named(name.substring(name.indexOf('-') + 1)).of(cluster);
  }

  private Cut cut(String name, Cluster cluster) {
    int leader = cluster.leader();
    List<Integer> others = cluster.others(Set.of(leader));
    boolean five = nodes >= 5;
    return switch (name) {
      case "leader" ->
          Cut.parts(name, nodes, five ? Set.of(leader, others.get(0)) : Set.of(leader));
      case "follower" ->
          Cut.parts(
              name, nodes, five ? Set.of(others.get(0), others.get(1)) : Set.of(others.get(0)));
      case "even" -> Cut.parts(name, nodes, Set.of(leader, others.get(0)));
      case "one-way" -> Cut.oneWay(name, others.get(0), others.get(1));
      case "pair" -> Cut.between(name, others.get(0), others.get(1));
      case "deaf-leader", "deaf-oldest", "deaf-neither" ->
          Cut.deaf(name, nodes, victim(name, cluster), /* clientsToo= */ false);
      case "deaf-both", "deafer-both" ->
          Cut.deaf(name, nodes, bothInOne(cluster), /* clientsToo= */ name.startsWith("deafer"));
      case "deafer-leader", "deafer-oldest", "deafer-neither" ->
          Cut.deaf(name, nodes, victim(name, cluster), /* clientsToo= */ true);
      default -> throw new IllegalArgumentException("there is no cut [" + name + "]");
    };
  }
}
