package io.holdfast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.id.ShardId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which shards count as without an owner for long. */
class OwnerlessTest {

  private static final ShardId ONE = ShardId.of(1);
  private static final ShardId TWO = ShardId.of(2);

  private static final long LONG = Ownerless.PATIENCE.toNanos() + 1;

  private final Ownerless ownerless = new Ownerless();

  @Test
  void a_shard_without_an_owner_counts_after_a_while() {
    ownerless.look(List.of(ONE, TWO), 0);
    ownerless.look(List.of(ONE, TWO), LONG - 1);
    assertEquals(0, ownerless.count());
    ownerless.look(List.of(ONE, TWO, ShardId.of(3)), LONG);
    assertEquals(2, ownerless.count());
  }

  @Test
  void a_shard_that_had_an_owner_meanwhile_begins_anew() {
    ownerless.look(List.of(ONE, TWO), 0);
    ownerless.look(List.of(TWO), LONG);
    ownerless.look(List.of(ONE, TWO), LONG);
    assertEquals(1, ownerless.count());
    ownerless.look(List.of(), LONG);
    assertEquals(0, ownerless.count());
  }
}
