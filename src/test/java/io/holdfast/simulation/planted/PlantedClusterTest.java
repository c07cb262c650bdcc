package io.holdfast.simulation.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the bugs planted in actors, keepers, watches and clients fit the sources. */
class PlantedClusterTest {

  @Test
  void every_planted_bug_fits_the_code_as_it_is() {
    List<String> misfits = new ArrayList<>();
    for (PlantedBug bug : PlantedBug.of("cluster")) {
      try {
        assertTrue(!bug.applyToSources().isEmpty(), bug.name());
      } catch (IllegalStateException e) {
        misfits.add(bug.name() + ": " + e.getMessage());
      }
    }
    assertEquals(List.of(), misfits);
  }

  @Test
  void no_two_planted_bugs_have_one_name() {
    List<String> names = PlantedBug.of("cluster").stream().map(PlantedBug::name).toList();
    assertEquals(names.size(), names.stream().distinct().count());
  }
}
