package io.holdfast.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import org.junit.jupiter.api.Test;

/** Defaults and capacities that follow from the heap. */
class HeapDefaultsTest {

  private static final long MIB = 1L << 20;
  private static final Config USUAL = ConfigFactory.defaultReference();

  @Test
  void a_large_heap_has_the_usual_defaults() {
    assertTrue(HeapDefaults.of(4_096 * MIB, USUAL).isEmpty());
  }

  @Test
  void a_small_heap_keeps_fewer_actors_and_less_history() {
    Config small = HeapDefaults.of(128 * MIB, USUAL);
    assertEquals(5_120, small.getInt("holdfast.locks.max-in-memory"));
    assertEquals(8 * MIB, small.getBytes("holdfast.watch.history.max-bytes"));
  }

  @Test
  void the_smallest_heap_has_what_the_settings_allow_at_least() {
    Config small = HeapDefaults.of(MIB, USUAL);
    assertEquals(1_000, small.getInt("holdfast.locks.max-in-memory"));
    assertEquals(MIB, small.getBytes("holdfast.watch.history.max-bytes"));
  }

  @Test
  void the_capacity_is_a_share_of_the_heap_and_no_more_than_is_set() {
    assertEquals(25 * MIB, new StateSettings(25, 0).capacity(148 * MIB));
    assertEquals(5, new StateSettings(25, 5).capacity(148 * MIB));
    assertEquals(25 * MIB, new StateSettings(25, 1L << 40).capacity(148 * MIB));
    assertEquals(2 * MIB, new StateSettings(25, 0).capacity(32 * MIB));
    assertEquals(1, new StateSettings(1, 0).capacity(10), "0 would be no bound");
  }
}
