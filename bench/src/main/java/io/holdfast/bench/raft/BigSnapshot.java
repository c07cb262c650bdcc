package io.holdfast.bench.raft;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how long commits take while the members take a large snapshot. */
@Command(
    name = "big-snapshot",
    mixinStandardHelpOptions = true,
    description =
        "Fills the log with entries until a snapshot of them all is taken, on all members at about"
            + " the same time, and says how long the longest commit took meanwhile and whether"
            + " anybody stood for election.")
final class BigSnapshot extends Scenario {

  private static final int ENTRY_BYTES = 200;
  private static final int OVERHEAD_BYTES = 24;

  /** More than any group commits. */
  private static final int MOST_EACH_MS = 300;

  @Option(names = "--entries", paramLabel = "N", description = "How many. Default: 1000000.")
  private int entries = 1_000_000;

  @Override
  protected boolean run(Path root, PrintWriter out) throws IOException {
    long after = (long) entries * (ENTRY_BYTES + OVERHEAD_BYTES);
    try (Group group = Group.started(root, after)) {
      int leading = group.awaitLeader();
      MemberHandle leader = group.member(leading);
      int elections = group.countTold("leads");
      String quiet = leader.ask("propose 16 " + Math.min(2_000, entries / 100) + " " + ENTRY_BYTES);
      fill(leader, (long) (entries * 0.7)); // one may be due a quarter before the others
      boolean early = members(root).anyMatch(BigSnapshot::hasSnapshot);
      String during = leader.ask("propose 16 15000 " + ENTRY_BYTES);
      boolean taken = members(root).allMatch(BigSnapshot::hasSnapshot);
      boolean elected = group.countTold("leads") != elections;
      out.printf(Locale.ROOT, "before: %s%n", quiet);
      out.printf(Locale.ROOT, "during: %s%n", during);
      out.printf(
          Locale.ROOT,
          "snapshot of %d entries of %d bytes: %s, %s%n",
          entries,
          ENTRY_BYTES,
          early ? "taken TOO EARLY" : taken ? "taken by all" : "NOT taken",
          elected ? "WITH an election" : "no election");
      return taken && !early && !elected;
    }
  }

  /* In steps that stay well short of what is missing: the snapshot is to fall into what is measured. */
  private static void fill(MemberHandle leader, long wanted) {
    for (long missing = wanted - applied(leader); missing > 0; missing = wanted - applied(leader)) {
      long ms = Math.max(1, missing / MOST_EACH_MS);
      leader.ask("propose 256 " + ms + " " + ENTRY_BYTES);
    }
  }

  private static Stream<Path> members(Path root) {
    return IntStream.range(0, Group.SIZE).mapToObj(i -> root.resolve("member-" + i));
  }

  private static boolean hasSnapshot(Path member) {
    String[] files = member.resolve("raft").toFile().list();
    return files != null && Arrays.stream(files).anyMatch(name -> name.endsWith(".snapshot"));
  }

  private static long applied(MemberHandle member) {
    String status = member.ask("status");
    return Long.parseLong(status.substring(status.lastIndexOf(' ') + 1));
  }
}
