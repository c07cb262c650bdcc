package io.holdfast.bench.raft;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code raft}: the speed and cost of proposals and reads of a group; with a
 * subcommand, tests under faults.
 */
@Command(
    name = "raft",
    mixinStandardHelpOptions = true,
    description = {
      "Starts three members as processes of their own on loopback, with fsync, and measures"
          + " proposals of 100 bytes made in the leader's process, then in a follower's, then reads"
          + " in the leader, then nothing at all.",
      "The load is a closed loop of one thread beside the member's own. Times are milliseconds. CPU"
          + " is that of all three processes, load included."
    },
    subcommands = {
      LeaderLoss.class,
      KillRounds.class,
      PowerCuts.class,
      LostWrites.class,
      BigSnapshot.class
    })
public final class Raft extends Scenario {

  private static final int PAYLOAD_BYTES = 100;

  @Option(names = "--seconds", paramLabel = "N", description = "How long each. Default: 8.")
  private int seconds = 8;

  @Option(names = "--warm-up", paramLabel = "N", description = "Seconds before. Default: 30.")
  private int warmUp = 30;

  @Option(
      names = "--in-flight",
      split = ",",
      paramLabel = "N",
      description = "How many proposals at a time. Default: 1,64,256.")
  private List<Integer> inFlight = List.of(1, 64, 256);

  @Override
  protected boolean run(Path root, PrintWriter out) throws IOException {
    try (Group group = Group.started(root, 64L << 20)) {
      MemberHandle leader = group.member(group.awaitLeader());
      leader.ask(propose(64, warmUp * 600));
      leader.ask(propose(1, warmUp * 200));
      leader.ask("read 1 " + warmUp * 200);
      leader = group.member(group.awaitLeader());
      MemberHandle follower = group.member((group.awaitLeader() + 1) % Group.SIZE);
      out.printf(Locale.ROOT, "%-34s %s%n", "what", "result");
      for (int count : inFlight) {
        measure(
            group, leader, "propose, " + count + " in flight", propose(count, seconds * 1000), out);
      }
      follower.ask(propose(1, warmUp * 100));
      measure(group, follower, "forwarded, 1 in flight", propose(1, seconds * 1000), out);
      measure(group, leader, "read in the leader, 1 in flight", "read 1 " + seconds * 1000, out);
      idle(group, out);
      out.printf(Locale.ROOT, "leaders seen: %d%n", group.countTold("leads"));
    }
    return true;
  }

  private void measure(
      Group group, MemberHandle member, String what, String command, PrintWriter out) {
    long before = group.cpuNanos();
    String result = member.ask(command);
    long cpu = group.cpuNanos() - before;
    long calls = Long.parseLong(result.replaceAll(".*calls=(\\d+).*", "$1"));
    out.printf(
        Locale.ROOT, "%-34s %s cpu=%.1f us each%n", what, result, cpu / 1e3 / Math.max(1, calls));
    out.flush();
  }

  private void idle(Group group, PrintWriter out) {
    Group.pause(2_000);
    long before = group.cpuNanos();
    long start = System.nanoTime();
    Group.pause(seconds * 1000L);
    double share = (group.cpuNanos() - before) / (double) (System.nanoTime() - start);
    out.printf(Locale.ROOT, "%-34s cpu=%.2f %% each%n", "idle", share * 100 / Group.SIZE);
  }

  private static String propose(int count, int ms) {
    return "propose " + count + " " + ms + " " + PAYLOAD_BYTES;
  }
}
