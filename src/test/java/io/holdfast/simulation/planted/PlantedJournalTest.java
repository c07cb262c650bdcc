package io.holdfast.simulation.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.simulation.journal.JournalSimulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each mistake that coordination, the journal or a node could make fits the code as it is, and the
 * simulation of the whole sees it with a seed that is known to. After a change of the simulation
 * there are others: {@code simulate journal --planted} tells which.
 */
@Tag("slow")
class PlantedJournalTest {

  /** Those that need more luck than this are found by the command alone. */
  private static final Map<String, Long> SEEDS =
      Map.ofEntries(
          Map.entry("renewal counts from the receipt of its answer", 1L),
          Map.entry("renewal counts from its last send", 59L),
          Map.entry("suspension is not noticed", 4L),
          Map.entry("expiry does not ask for the renewal", 107L),
          Map.entry("leader counts a ttl from its first sight of the session", 2L),
          Map.entry("dead incarnation revives", 234L),
          Map.entry("token block is given out again", 1L),
          Map.entry("early expiry leaves no mark", 40L),
          Map.entry("mark is lost when the shard moves on", 40L),
          Map.entry("mark is taken off at once", 13L),
          Map.entry("recovery does not add the doubt", 28L),
          Map.entry("keepalive takes the doubt off", 1393L),
          Map.entry("keepalive is acknowledged without a valid session", 1011L),
          Map.entry("acquire by the owner is answered with what it has", 3L),
          Map.entry("fence does not rise at release", 2L),
          Map.entry("fence does not rise when a session ends", 1L),
          Map.entry("node serves a shard until its release is answered", 2L),
          Map.entry("acquire and release of a shard overlap", 8L),
          Map.entry("shard that was acquired too late is not given back", 123L),
          Map.entry("ownership that a late acquire has fenced goes on", 123L),
          Map.entry("ownership stays after the end of the session", 1L),
          Map.entry("epoch is looked up for the write", 5L),
          Map.entry("sequence number is not checked", 5L),
          Map.entry("append with a known number is judged again", 4L),
          Map.entry("numbers are forgotten with their key", 7L),
          Map.entry("precondition is checked before the append only", 3L),
          Map.entry("record outlives the lease that it hangs on", 2L),
          Map.entry("request that was answered is answered again", 2L),
          Map.entry("release is refused when all is full", 3L),
          Map.entry("member restored from a snapshot undercounts the state", 1L),
          Map.entry("grant passes the bound of all that is kept", 3L),
          Map.entry("session of a removed member does not expire", 13L),
          Map.entry("coordination does not hear of changed members", 6L),
          Map.entry("removed voters count for a majority", 55L),
          Map.entry("nobody is expelled", 23L),
          Map.entry("cluster is formed beside another", 4L));

  @Test
  void every_planted_bug_that_has_a_seed_is_found_by_it() {
    List<String> missed = new ArrayList<>();
    for (PlantedBug bug : PlantedBug.of("journal")) {
      PlantedCore core = new PlantedCore(bug, JournalSimulation.class);
      Long seed = SEEDS.get(bug.name());
      if (seed != null && core.failure(seed) == null) {
        missed.add(bug.name());
      }
    }
    assertEquals(List.of(), missed);
  }

  @Test
  void every_seed_is_of_a_planted_bug() {
    List<String> names = PlantedBug.of("journal").stream().map(PlantedBug::name).toList();
    assertTrue(names.containsAll(SEEDS.keySet()), SEEDS::toString);
    assertEquals(names.size(), names.stream().distinct().count());
  }
}
