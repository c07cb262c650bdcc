package io.holdfast.simulation.coordination;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Many small clusters live through trouble, and no invariant breaks. */
class CoordinationSimulationTest {

  private static final int SEEDS = 200;

  @Test
  void an_expired_node_has_stopped_and_no_shard_has_two_owners() {
    Long one = Long.getLong("seed");
    LongStream seeds = one == null ? LongStream.rangeClosed(1, SEEDS) : LongStream.of(one);
    seeds.forEach(seed -> assertNull(CoordinationSimulation.failure(seed)));
  }

  @Test
  void the_critical_situations_occur_often() {
    long writes = 0;
    long expired = 0;
    for (long seed = 1; seed <= 10; seed++) {
      long[] traffic = CoordinationSimulation.traffic(seed);
      writes += traffic[0];
      expired += traffic[1];
    }
    assertTrue(writes > 3_000, "writes: " + writes);
    assertTrue(expired > 15, "expired: " + expired);
  }
}
