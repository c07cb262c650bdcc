package io.holdfast.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.simulation.Simulate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole lives through trouble with its clients, and no invariant breaks. */
@Tag("slow")
class ClusterSimulationTest {

  private static final int SEEDS = 200;

  @TempDir Path directory;

  @Test
  void nothing_breaks_over_many_seeds() {
    Long one = Long.getLong("seed");
    LongStream seeds = one == null ? LongStream.rangeClosed(1, SEEDS) : LongStream.of(one);
    seeds.forEach(seed -> assertNull(ClusterSimulation.failure(seed)));
  }

  @Test
  void a_seed_is_the_same_life_again() {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    ClusterSimulation.replay(4, first::add);
    ClusterSimulation.replay(4, second::add);
    assertEquals(first, second);
  }

  /** Unordered sets and maps of the JDK have another order in each process. */
  @Test
  void a_seed_is_the_same_life_in_another_process() throws IOException, InterruptedException {
    for (long seed : new long[] {43, 118}) {
      List<String> here = new ArrayList<>();
      ClusterSimulation.replay(seed, line -> here.addAll(line.lines().toList()));
      assertEquals(here, replayElsewhere(seed), "seed " + seed);
    }
  }

  private List<String> replayElsewhere(long seed) throws IOException, InterruptedException {
    Path output = directory.resolve("replay-" + seed);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Simulate.class.getName(),
                "cluster",
                "--seed",
                String.valueOf(seed))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertEquals(0, process.waitFor());
    List<String> lines = Files.readAllLines(output);
    return lines.subList(0, lines.size() - 1); // the last is the verdict
  }

  @Test
  void the_critical_situations_occur_often() {
    Map<String, Long> all = new TreeMap<>();
    for (long seed = 1; seed <= 40; seed++) {
      ClusterSimulation.tally(seed).forEach((what, count) -> all.merge(what, count, Long::sum));
    }
    for (String what :
        List.of(
            "age set back",
            "aged",
            "append Fenced",
            "cancel",
            "ended EXPELLED",
            "ended EXPIRED",
            "ended EXPIRED_EARLY",
            "ended REPLACED",
            "ended with a lease",
            "kept OfGrant",
            "kept OfLease",
            "kept OfRequest",
            "late grant",
            "entered again",
            "expired by an older age",
            "fenced",
            "gave up",
            "lost",
            "outage",
            "abandoned",
            "judged OfGrant true",
            "judged OfLease false",
            "judged cancel",
            "judged grant",
            "judged refusal",
            "member comes",
            "member promoted",
            "member removed",
            "member replaced",
            "node leaves",
            "quarantine",
            "real entered again",
            "real lost DEADLINE_PASSED",
            "real release without an answer",
            "refused, with copies",
            "renewed by request",
            "service gives up",
            "service holds",
            "service loses",
            "service member asks",
            "service member goes on",
            "service member holds",
            "service member is compared",
            "service member is cut off",
            "service member is quarantined",
            "service member joins",
            "service member leaves",
            "service member loses",
            "service member served once more",
            "service refused",
            "watch ended")) {
      assertTrue(all.containsKey(what), () -> what + " is not in " + all);
    }
    assertTrue(all.getOrDefault("held", 0L) > 100, all::toString);
    assertTrue(all.getOrDefault("watched", 0L) > 300, all::toString);
  }
}
