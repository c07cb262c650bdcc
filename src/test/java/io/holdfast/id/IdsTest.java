package io.holdfast.id;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests the bounds, the order and the names of ids. */
class IdsTest {

  @Test
  void a_shard_has_a_number_of_16_bits() {
    assertRefused(ShardId::of, -1, "shard [-1] is below the minimum [0]");
    assertEquals(65_535, ShardId.of(65_535).value());
    assertRefused(ShardId::of, 65_536, "shard [65536] exceeds the maximum [65535]");
    assertEquals("shard 3", ShardId.of(3).toString());
  }

  @Test
  void a_made_shard_equals_a_kept_one() {
    assertSame(ShardId.of(4_095), ShardId.of(4_095));
    assertEquals(new ShardId(7), ShardId.of(7));
    assertEquals(ShardId.of(4_096), ShardId.of(4_096));
  }

  @Test
  void a_range_of_shards_is_in_order() {
    assertEquals(List.of(ShardId.of(0), ShardId.of(1), ShardId.of(2)), ShardId.range(3));
    assertTrue(ShardId.of(2).compareTo(ShardId.of(10)) < 0);
  }

  @Test
  void an_epoch_is_not_negative_and_has_an_order() {
    assertRefused(Epoch::new, -1L, "epoch [-1] is below the minimum [0]");
    assertEquals(Epoch.NONE, new Epoch(0));
    assertTrue(new Epoch(9).compareTo(new Epoch(10)) < 0);
    assertEquals("e9", new Epoch(9).toString());
  }

  @Test
  void a_persistence_id_is_not_empty_and_is_its_text() {
    assertRefused(PersistenceId::new, "", "a persistence id is empty");
    assertEquals("lock|a", new PersistenceId("lock|a").toString());
    assertTrue(new PersistenceId("lease|7").compareTo(new PersistenceId("lock|a")) < 0);
  }

  @Test
  void an_incarnation_of_a_lease_has_an_id_and_a_revision() {
    assertRefused(LeaseId::new, 0L, "lease_id [0] is of no lease");
    assertRefused(
        at -> LeaseLife.of(new LeaseId(1), new Revision(at)),
        0L,
        "lease_incarnation [0] is below the minimum [1]");
    assertEquals("7@3", LeaseLife.of(new LeaseId(7), new Revision(3)).toString());
  }

  @Test
  void incarnations_are_in_the_order_of_their_leases() {
    LeaseLife life = LeaseLife.of(new LeaseId(7), new Revision(3));
    assertTrue(life.compareTo(LeaseLife.of(new LeaseId(8), new Revision(1))) < 0);
    assertTrue(life.compareTo(LeaseLife.of(new LeaseId(7), new Revision(2))) > 0);
    assertEquals(0, life.compareTo(LeaseLife.of(new LeaseId(7), new Revision(3))));
  }

  @Test
  void a_revision_is_not_negative_and_has_a_next_one() {
    assertRefused(Revision::new, -1L, "revision [-1] is below the minimum [0]");
    assertEquals(new Revision(1), Revision.NONE.next());
    assertTrue(new Revision(9).compareTo(new Revision(12)) < 0);
    assertEquals("12", new Revision(12).toString());
  }

  private static <T> void assertRefused(Function<T, ?> made, T value, String message) {
    Exception refused = assertThrows(IllegalArgumentException.class, () -> made.apply(value));
    assertEquals(message, refused.getMessage());
  }
}
