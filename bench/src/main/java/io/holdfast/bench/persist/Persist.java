package io.holdfast.bench.persist;

import io.holdfast.bench.raft.MemberHandle;
import io.holdfast.bench.raft.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code persist}: the throughput, latency and cost of persistent actors over the
 * journal.
 */
@Command(
    name = "persist",
    mixinStandardHelpOptions = true,
    description = {
      "Starts three nodes as processes of their own on loopback, with fsync. One of them owns all"
          + " shards and runs the persistent actors, each with an event to persist at any time;"
          + " then so many at a time, and then one actor alone.",
      "Times are milliseconds. CPU is that of all three processes, load included. At the end all"
          + " actors are recovered from the journal: each must find all that was confirmed to it."
    })
public final class Persist extends Scenario {

  @Option(names = "--actors", paramLabel = "N", description = "How many. Default: 10000.")
  private int actors = 10_000;

  @Option(names = "--bytes", paramLabel = "N", description = "Of an event. Default: 100.")
  private int bytes = 100;

  @Option(
      names = "--in-flight",
      split = ",",
      paramLabel = "N",
      description = "How many of them write at a time, beside all and one. Default: 256.")
  private List<Integer> inFlight = List.of(256);

  @Option(names = "--seconds", paramLabel = "N", description = "How long each. Default: 10.")
  private int seconds = 10;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "How many events before. Default: 600000.")
  private int warmUp = 600_000;

  @Option(names = "--follower", description = "Load a node that does not lead the log.")
  private boolean follower;

  @Option(
      names = "--recording",
      paramLabel = "PATH",
      description = "Where to keep Flight Recorder's file of the first measurement.")
  @Nullable Path recording;

  @Override
  protected boolean run(Path root, PrintWriter out) throws IOException {
    try (Nodes nodes = Nodes.started(root)) {
      MemberHandle loaded = nodes.node(!follower);
      require(loaded.ask("open " + actors + " " + bytes), "open");
      require(loaded.ask("warm " + actors + " " + actors + " " + warmUp), "warm");
      require(loaded.ask("warm 1 1 " + warmUp / 100), "warm");
      out.printf(Locale.ROOT, "%-34s %s%n", "what", "result");
      measureAll(nodes, loaded, root, out);
      for (int count : inFlight) {
        measure(nodes, loaded, count + " of them at a time", actors, count, out);
      }
      measure(nodes, loaded, "1 actor alone", 1, 1, out);
      String recount = loaded.ask("recount");
      out.printf(Locale.ROOT, "%-34s %s%n", "recovered", recount);
      return recount.endsWith(" wrong=0") && !recount.startsWith("notes=0 ");
    }
  }

  private void measureAll(Nodes nodes, MemberHandle loaded, Path root, PrintWriter out) {
    Path file = recording == null ? root.resolve("account.jfr") : recording.toAbsolutePath();
    require(loaded.ask("account"), "begun");
    long persists = measure(nodes, loaded, actors + " actors", actors, actors, out);
    for (String line : loaded.ask("accounted " + persists + " " + file).split("\\|", -1)) {
      out.println("    " + line);
    }
    out.flush();
  }

  /** Measures, and says how many persists there were. */
  private long measure(
      Nodes nodes, MemberHandle loaded, String what, int among, int count, PrintWriter out) {
    long before = nodes.cpuNanos();
    String result = loaded.ask(write(among, count, seconds * 1000));
    long cpu = nodes.cpuNanos() - before;
    if (!result.startsWith("persists=")) {
      throw new IllegalStateException(what + ": " + result);
    }
    long persists = Long.parseLong(result.replaceAll("persists=(\\d+).*", "$1"));
    out.printf(
        Locale.ROOT,
        "%-34s %s cpu=%.1f us each%n",
        what,
        result,
        cpu / 1e3 / Math.max(1, persists));
    out.flush();
    return Math.max(1, persists);
  }

  private static void require(String answer, String wanted) {
    if (!answer.equals(wanted)) {
      throw new IllegalStateException(answer);
    }
  }

  private static String write(int among, int count, int ms) {
    return "write " + among + " " + count + " " + ms;
  }
}
