package io.holdfast.bench.raft;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks that nothing acknowledged is lost when the power goes everywhere at once. */
@Command(
    name = "power-cuts",
    mixinStandardHelpOptions = true,
    description = {
      "Each member's directory is on a file system of its own, in a loop-mounted image. Under load"
          + " all members are killed and the images copied before anything is written back: what"
          + " the copies hold is what a loss of power would have left. The members then start from"
          + " the copies, and must have applied all that was acknowledged.",
      "Needs root, mount and mkfs.ext4."
    })
final class PowerCuts extends Scenario {

  private static final long NUMBERS_A_RUN = 10_000_000L;

  @Option(names = "--rounds", paramLabel = "N", description = "How often. Default: 20.")
  private int rounds = 20;

  @Option(names = "--seed", paramLabel = "S", description = "When. Default: the clock.")
  private long seed = System.nanoTime();

  private final LoopImage[] images = new LoopImage[Group.SIZE];

  @Override
  protected boolean run(Path root, PrintWriter out) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    try (Group group = new Group(root, 2L << 20)) {
      for (int i = 0; i < Group.SIZE; i++) {
        images[i] = LoopImage.make(root.resolve("image-" + i), 600, root.resolve("member-" + i));
        group.start(i);
      }
      for (int round = 0; round < rounds; round++) {
        group.awaitLeader();
        for (int i = 0; i < Group.SIZE; i++) {
          long first = (1 + (long) round * Group.SIZE + i) * NUMBERS_A_RUN + 1;
          group.member(i).tell("record " + first + " 8 600000");
        }
        Group.pause(500 + random.nextInt(1_500));
        group.killAll();
        for (int i = 0; i < Group.SIZE; i++) {
          images[i].cutPower();
        }
        for (int i = 0; i < Group.SIZE; i++) {
          group.start(i);
        }
      }
      return Verdict.check(group, root, "seed " + seed + ", " + rounds + " power cuts", out);
    } finally {
      for (LoopImage image : images) {
        if (image != null) {
          image.close();
        }
      }
    }
  }
}
