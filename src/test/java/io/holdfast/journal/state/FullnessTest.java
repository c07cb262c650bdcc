package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.journal.state.Fullness.Level;
import org.junit.jupiter.api.Test;

/** The levels of fullness. */
class FullnessTest {

  private static final long MAX = 1_000_000;

  private Fullness now = Fullness.NONE;

  private Level at(long size) {
    now = now.next(new Footprint(size, 0, 0, 0), MAX);
    return now.level();
  }

  @Test
  void a_level_ends_lower_than_it_began() {
    assertEquals(Level.ROOM, at(799_999));
    assertEquals(Level.NEARLY_FULL, at(800_000));
    assertEquals(Level.NEARLY_FULL, at(750_000));
    assertEquals(Level.ROOM, at(749_999));
    assertEquals(Level.FULL, at(980_000));
    assertEquals(Level.FULL, at(950_000));
    assertEquals(Level.NEARLY_FULL, at(949_999));
    assertEquals(Level.NEARLY_FULL, at(979_999));
    assertEquals(Level.FULL, at(2_000_000));
    assertEquals(Level.ROOM, at(0));
  }

  @Test
  void nothing_is_full_without_a_bound() {
    now = now.next(new Footprint(Long.MAX_VALUE / 4, 0, 0, 0), Long.MAX_VALUE);
    assertEquals(Level.ROOM, now.level());
    assertFalse(now.isReserveUsedUp());
  }

  @Test
  void the_reserve_lies_beyond_the_bound() {
    at(1_224_999);
    assertFalse(now.isReserveUsedUp());
    at(1_225_000);
    assertTrue(now.isReserveUsedUp());
  }

  @Test
  void a_bound_of_a_few_bytes_counts() {
    now = now.next(new Footprint(50, 0, 0, 0), 40);
    assertTrue(now.isFull());
    now = now.next(new Footprint(1, 0, 0, 0), 40);
    assertEquals(Level.ROOM, now.level());
  }
}
