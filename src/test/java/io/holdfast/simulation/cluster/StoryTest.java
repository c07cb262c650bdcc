package io.holdfast.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The story is played to its end, and tells what it is told for. */
class StoryTest {

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void the_story_comes_to_its_three_endings(long seed) {
    List<String> lines = new ArrayList<>();
    String failure = Story.play(seed, lines::add);
    String told = String.join("\n", lines);
    assertNull(failure, told);
    for (String ending :
        List.of(
            "The store refuses a write",
            "Ada is fenced: the work of Ben is safe.",
            "Nothing was heard from Ben for its ttl",
            "Cleo is granted [alpha]",
            "takes over what node",
            "Cleo held the lock all the time, under the same token.")) {
      assertTrue(told.contains(ending), () -> "[" + ending + "] is not in\n" + told);
    }
  }
}
