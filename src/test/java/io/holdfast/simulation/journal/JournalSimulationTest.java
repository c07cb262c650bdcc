package io.holdfast.simulation.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Nodes with Raft, coordination and the journal live through trouble, and no invariant breaks. */
class JournalSimulationTest {

  private static final int SEEDS = 100;

  @Test
  void nothing_breaks_over_many_seeds() {
    Long one = Long.getLong("seed");
    LongStream seeds = one == null ? LongStream.rangeClosed(1, SEEDS) : LongStream.of(one);
    seeds.forEach(seed -> assertNull(JournalSimulation.failure(seed)));
  }

  @Test
  void a_seed_is_the_same_life_again() {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    JournalSimulation.replay(4, first::add);
    JournalSimulation.replay(4, second::add);
    assertEquals(first, second);
  }

  @Test
  void the_critical_situations_occur_often() {
    Map<String, Long> all = new TreeMap<>();
    for (long seed = 1; seed <= 20; seed++) {
      JournalSimulation.tally(seed).forEach((what, count) -> all.merge(what, count, Long::sum));
    }
    for (String what :
        List.of(
            "acknowledged EXPIRED",
            "append AlreadyAnswered",
            "append Fenced",
            "append Gap",
            "append LeaseDead",
            "append StateFull",
            "append WrongSequence",
            "ended EXPIRED",
            "ended EXPIRED_EARLY",
            "ended REPLACED",
            "member comes",
            "member removed",
            "quarantine",
            "ended with a lease")) {
      assertTrue(all.containsKey(what), () -> what + " is not in " + all);
    }
    assertTrue(all.getOrDefault("acknowledged GRANTED", 0L) > 300, all::toString);
    assertTrue(all.getOrDefault("keepalive", 0L) > 1_000, all::toString);
  }
}
