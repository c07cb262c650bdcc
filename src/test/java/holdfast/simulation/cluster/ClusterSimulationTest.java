package holdfast.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The whole lives through trouble with its clients, and no invariant breaks. */
class ClusterSimulationTest {

  private static final int SEEDS = 200;

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

  @Test
  void what_must_not_go_wrong_is_tried_often() {
    Map<String, Long> all = new TreeMap<>();
    for (long seed = 1; seed <= 40; seed++) {
      ClusterSimulation.tally(seed).forEach((what, count) -> all.merge(what, count, Long::sum));
    }
    for (String what :
        List.of(
            "append Fenced",
            "cancel",
            "ended EXPELLED",
            "ended EXPIRED",
            "ended EXPIRED_EARLY",
            "ended REPLACED",
            "ended with a lease",
            "kept OfGrant",
            "kept OfLease",
            "late grant",
            "entered again",
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
            "service gives up",
            "service holds",
            "service loses",
            "service member EXPIRED",
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
