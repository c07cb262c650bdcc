package holdfast.bench.raft;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a large snapshot does to those who propose meanwhile. */
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

  @Option(names = "--entries", paramLabel = "N", description = "How many. Default: 1000000.")
  private int entries = 1_000_000;

  @Override
  boolean run(Path root, PrintWriter out) throws IOException {
    long after = (long) entries * (ENTRY_BYTES + OVERHEAD_BYTES);
    try (Group group = Group.started(root, after)) {
      int leading = group.awaitLeader();
      MemberHandle leader = group.member(leading);
      while (applied(leader) < entries * 0.97) {
        leader.ask("propose 256 500 " + ENTRY_BYTES);
      }
      int elections = group.countTold("leads");
      String quiet = leader.ask("propose 16 2000 " + ENTRY_BYTES);
      while (applied(leader) < entries * 0.995) {
        leader.ask("propose 64 200 " + ENTRY_BYTES);
      }
      String during = leader.ask("propose 16 15000 " + ENTRY_BYTES);
      boolean taken = hasSnapshots(root);
      boolean elected = group.countTold("leads") != elections;
      out.printf(Locale.ROOT, "before: %s%n", quiet);
      out.printf(Locale.ROOT, "during: %s%n", during);
      out.printf(
          Locale.ROOT,
          "snapshot of %d entries of %d bytes: %s, %s%n",
          entries,
          ENTRY_BYTES,
          taken ? "taken by all" : "NOT taken",
          elected ? "WITH an election" : "no election");
      return taken && !elected;
    }
  }

  private static boolean hasSnapshots(Path root) {
    for (int i = 0; i < Group.SIZE; i++) {
      String[] files = root.resolve("member-" + i).resolve("raft").toFile().list();
      if (files == null
          || java.util.Arrays.stream(files).noneMatch(name -> name.endsWith(".snapshot"))) {
        return false;
      }
    }
    return true;
  }

  private static long applied(MemberHandle member) {
    String status = member.ask("status");
    return Long.parseLong(status.substring(status.lastIndexOf(' ') + 1));
  }
}
