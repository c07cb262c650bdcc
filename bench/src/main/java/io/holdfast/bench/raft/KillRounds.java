package io.holdfast.bench.raft;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks that nothing acknowledged is lost when processes are killed. */
@Command(
    name = "kill-rounds",
    mixinStandardHelpOptions = true,
    description =
        "Under load from all members, kills a random one, or all at once, with kill -9 and starts"
            + " it again. At the end every member must have applied all that was acknowledged to"
            + " anybody, each once, and nothing that was refused.")
final class KillRounds extends Scenario {

  private static final long NUMBERS_A_RUN = 10_000_000L;

  @Option(names = "--rounds", paramLabel = "N", description = "How often. Default: 50.")
  private int rounds = 50;

  @Option(names = "--seed", paramLabel = "S", description = "Whom, and when. Default: the clock.")
  private long seed = System.nanoTime();

  private long runs;

  @Override
  protected boolean run(Path root, PrintWriter out) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    try (Group group = Group.started(root, 2L << 20)) {
      for (int i = 0; i < Group.SIZE; i++) {
        load(group, i);
      }
      for (int round = 0; round < rounds; round++) {
        Group.pause(200 + random.nextInt(800));
        if (random.nextInt(5) == 0) {
          group.killAll();
          for (int i = 0; i < Group.SIZE; i++) {
            restart(group, i);
          }
        } else {
          int victim = random.nextInt(Group.SIZE);
          group.member(victim).kill();
          Group.pause(random.nextInt(300));
          restart(group, victim);
        }
      }
      return Verdict.check(group, root, "seed " + seed + ", " + rounds + " rounds of kill -9", out);
    }
  }

  private void restart(Group group, int member) {
    group.start(member);
    load(group, member);
  }

  private void load(Group group, int member) {
    group
        .member(member)
        .tell(String.format(Locale.ROOT, "record %d 8 600000", ++runs * NUMBERS_A_RUN + 1));
  }
}
