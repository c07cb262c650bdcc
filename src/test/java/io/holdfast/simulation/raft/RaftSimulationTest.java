package io.holdfast.simulation.raft;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Short simulations; longer ones are run by {@link io.holdfast.simulation.Simulate}. */
class RaftSimulationTest {

  private static final int SEEDS = 300;

  @Test
  void every_invariant_holds_in_each_of_300_lives_of_a_cluster() {
    Long one = Long.getLong("seed");
    for (long seed = one == null ? 1 : one; seed <= (one == null ? SEEDS : one); seed++) {
      assertNull(RaftSimulation.failure(seed));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5})
  void a_seed_tells_the_same_story_twice(long seed) {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    assertNull(RaftSimulation.replay(seed, first::add));
    assertNull(RaftSimulation.replay(seed, second::add));
    assertNotNull(first.get(0));
    Assertions.assertEquals(first, second);
  }
}
