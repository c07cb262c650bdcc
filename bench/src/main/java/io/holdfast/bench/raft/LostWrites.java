package io.holdfast.bench.raft;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Kills members at an acknowledgement, and drops all writes that were not synced by then. */
@Command(
    name = "lost-writes",
    mixinStandardHelpOptions = true,
    description = {
      "Each member keeps in memory what it has not synced, and its syncs take up to 40 ms. Under"
          + " load all members are killed at some acknowledgement, which loses what was not synced"
          + " at that moment everywhere; then they start again. At the end they must have applied"
          + " all that was acknowledged. So a confirmation before its sync is found, even if the"
          + " sync comes a moment later."
    })
final class LostWrites extends Scenario {

  private static final long NUMBERS_A_RUN = 10_000_000L;
  private static final long ACKED_WITHIN_MS = 60_000;

  @Option(names = "--rounds", paramLabel = "N", description = "How often. Default: 20.")
  private int rounds = 20;

  @Option(names = "--seed", paramLabel = "S", description = "When. Default: the clock.")
  private long seed = System.nanoTime();

  @Override
  protected boolean run(Path root, PrintWriter out) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    try (Group group = new Group(root, 1L << 20, /* forgetful= */ true)) {
      group.startAll();
      for (int round = 0; round < rounds; round++) {
        group.awaitLeader();
        long before = group.acked().count();
        for (int i = 0; i < Group.SIZE; i++) {
          long first = (1 + (long) round * Group.SIZE + i) * NUMBERS_A_RUN + 1;
          group.member(i).tell("record " + first + " 2 600000");
        }
        awaitAcked(group, before + 5 + random.nextInt(100));
        group.killAll();
        group.startAll();
      }
      return Verdict.check(group, root, "seed " + seed + ", " + rounds + " losses", out);
    }
  }

  /** Looks all the time: the moment after an acknowledgement is the one that counts. */
  private static void awaitAcked(Group group, long count) {
    long untilNs = System.nanoTime() + ACKED_WITHIN_MS * 1_000_000;
    while (group.acked().count() < count) {
      if (System.nanoTime() > untilNs) {
        throw new IllegalStateException("only " + group.acked().count() + " were acknowledged");
      }
      Thread.onSpinWait();
    }
  }
}
