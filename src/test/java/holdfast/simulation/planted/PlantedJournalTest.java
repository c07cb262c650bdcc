package holdfast.simulation.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import holdfast.simulation.journal.JournalSimulation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Each mistake that coordination, the journal or a node could make fits the code as it is, and the
 * simulation of the whole sees it with a seed that is known to. After a change of the simulation
 * there are others: {@code simulate journal --planted} tells which.
 */
class PlantedJournalTest {

  private static final Path SOURCES = Path.of("src");

  /** Those that need more luck than this are found by the command alone. */
  private static final Map<String, Long> SEEDS =
      Map.ofEntries(
          Map.entry("renewal counts from the receipt of its answer", 2L),
          Map.entry("renewal counts from its last send", 14L),
          Map.entry("suspension is not noticed", 17L),
          Map.entry("expiry does not ask for the renewal", 17L),
          Map.entry("leader counts from what it saw first of a session", 1L),
          Map.entry("dead incarnation revives", 882L),
          Map.entry("token block is given out again", 1L),
          Map.entry("early expiry leaves no mark", 37L),
          Map.entry("mark is lost when the shard moves on", 37L),
          Map.entry("mark is taken off at once", 57L),
          Map.entry("recovery does not add the doubt", 37L),
          Map.entry("keepalive takes the doubt off", 2385L),
          Map.entry("keepalive is acknowledged without a valid session", 688L),
          Map.entry("acquire by the owner is answered with what it has", 2L),
          Map.entry("fence does not rise at release", 1L),
          Map.entry("fence does not rise when a session ends", 11L),
          Map.entry("node serves a shard until its release is answered", 24L),
          Map.entry("epoch is looked up for the write", 2L),
          Map.entry("sequence number is not checked", 6L),
          Map.entry("number that was seen is judged again", 4L),
          Map.entry("numbers are forgotten with their key", 4L),
          Map.entry("precondition is checked before the append only", 2L),
          Map.entry("record outlives the lease that it hangs on", 2L),
          Map.entry("request that was answered is answered again", 2L),
          Map.entry("cluster is formed beside another", 1L));

  @Test
  void every_planted_bug_that_has_a_seed_is_found_by_it() {
    List<String> missed = new ArrayList<>();
    for (PlantedBug bug : PlantedJournalBugs.ALL) {
      PlantedCore core = new PlantedCore(bug, SOURCES, JournalSimulation.class);
      Long seed = SEEDS.get(bug.name());
      if (seed != null && core.failure(seed) == null) {
        missed.add(bug.name());
      }
    }
    assertEquals(List.of(), missed);
  }

  @Test
  void every_seed_is_of_a_planted_bug() {
    List<String> names = PlantedJournalBugs.ALL.stream().map(PlantedBug::name).toList();
    assertTrue(names.containsAll(SEEDS.keySet()), SEEDS::toString);
    assertEquals(names.size(), names.stream().distinct().count());
  }
}
