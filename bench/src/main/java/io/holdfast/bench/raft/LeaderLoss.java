package io.holdfast.bench.raft;

import io.holdfast.raft.core.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how long a group has no leader after the leader's process was killed or frozen. */
@Command(
    name = "leader-loss",
    mixinStandardHelpOptions = true,
    description =
        "Kills the leader under load with kill -9, again and again, or freezes it with SIGSTOP, and"
            + " says how long it took until another led. Fails if nobody led again, or if after a"
            + " kill nobody ever did sooner than an election timeout allows.")
final class LeaderLoss extends Scenario {

  /** Nobody stands sooner after the last heartbeat, unless the fast path works. */
  private static final int WITHOUT_FAST_PATH_MS =
      Settings.LOCAL.electionTimeoutMs() - Settings.LOCAL.heartbeatMs();

  @Option(names = "--rounds", paramLabel = "N", description = "How often. Default: 20.")
  private int rounds = 20;

  @Option(names = "--freeze", description = "Freeze instead of kill.")
  private boolean freeze;

  @Override
  protected boolean run(Path root, PrintWriter out) throws IOException {
    List<Double> gaps = new ArrayList<>();
    try (Group group = Group.started(root, 64L << 20)) {
      for (int round = 0; round < rounds; round++) {
        gaps.add(lose(group));
        out.printf(Locale.ROOT, "%.0f ms%n", gaps.get(round));
        out.flush();
      }
    }
    Collections.sort(gaps);
    out.printf(
        Locale.ROOT,
        "%s, %d rounds: new leader after median %.0f ms, least %.0f, most %.0f%n",
        freeze ? "frozen" : "killed",
        rounds,
        gaps.get(rounds / 2),
        gaps.get(0),
        gaps.get(rounds - 1));
    boolean fast = freeze || gaps.get(0) < WITHOUT_FAST_PATH_MS;
    return fast && gaps.stream().noneMatch(gap -> gap < 0);
  }

  private double lose(Group group) {
    int leader = group.awaitLeader();
    group.member(leader).tell("propose 16 20000 100");
    Group.pause(500);
    long at = System.nanoTime();
    if (freeze) {
      group.member(leader).signal("STOP");
    } else {
      at = group.member(leader).kill();
    }
    long led = group.awaitTold(at, 20_000, told -> told.line().startsWith("leads"));
    if (freeze) {
      group.member(leader).signal("CONT");
      group.awaitTold(at, 20_000, told -> told.member() == leader);
      group.member(leader).kill();
    }
    group.start(leader);
    Group.pause(1_000);
    return led < 0 ? -1 : (led - at) / 1e6;
  }
}
