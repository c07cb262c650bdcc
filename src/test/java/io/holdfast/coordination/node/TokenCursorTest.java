package io.holdfast.coordination.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.coordination.state.TokenBlock;
import io.holdfast.id.Epoch;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests that tokens are given out in order, each once, and only under their own epoch. */
class TokenCursorTest {

  private static final Epoch EPOCH = new Epoch(5);

  private final TokenCursor cursor = new TokenCursor(EPOCH, new TokenBlock(10, 3), 2);

  @Test
  void tokens_come_in_order_over_blocks() {
    assertTrue(cursor.add(EPOCH, new TokenBlock(20, 2)));
    assertEquals(List.of(10L, 11L, 12L, 20L, 21L), drain());
  }

  @Test
  void there_is_no_token_beyond_the_blocks() {
    drain();
    assertEquals(0, cursor.remaining());
    assertEquals(OptionalLong.empty(), cursor.next(EPOCH));
    assertTrue(cursor.add(EPOCH, new TokenBlock(30, 1)));
    assertEquals(List.of(30L), drain());
  }

  @Test
  void no_token_is_given_under_another_epoch() {
    assertEquals(OptionalLong.empty(), cursor.next(new Epoch(4)));
    assertEquals(OptionalLong.empty(), cursor.next(new Epoch(6)));
    assertEquals(3, cursor.remaining());
  }

  @Test
  void a_block_of_another_epoch_is_passed_over() {
    assertFalse(cursor.add(new Epoch(4), new TokenBlock(20, 2)));
    assertFalse(cursor.add(new Epoch(6), new TokenBlock(20, 2)));
    assertEquals(3, cursor.remaining());
  }

  @Test
  void a_block_that_came_before_is_passed_over() {
    assertFalse(cursor.add(EPOCH, new TokenBlock(10, 3)));
    assertFalse(cursor.add(EPOCH, new TokenBlock(12, 3)));
    drain();
    assertFalse(cursor.add(EPOCH, new TokenBlock(10, 3)));
    assertEquals(OptionalLong.empty(), cursor.next(EPOCH));
  }

  @Test
  void more_is_asked_for_once_when_few_are_left() {
    assertFalse(cursor.asksForMore());
    cursor.next(EPOCH);
    assertTrue(cursor.asksForMore());
    assertFalse(cursor.asksForMore());
    cursor.failed();
    assertTrue(cursor.asksForMore());
    cursor.add(EPOCH, new TokenBlock(20, 1));
    assertFalse(cursor.asksForMore());
    cursor.next(EPOCH);
    assertTrue(cursor.asksForMore());
  }

  @Test
  void blocks_are_bounded() {
    for (int i = 1; i < TokenCursor.MAX_BLOCKS; i++) {
      assertTrue(cursor.add(EPOCH, new TokenBlock(100L * i, 1)));
    }
    assertFalse(cursor.add(EPOCH, new TokenBlock(1_000, 1)));
    assertThrows(IllegalArgumentException.class, () -> new TokenBlock(1, TokenBlock.SIZE + 1));
    assertThrows(IllegalArgumentException.class, () -> new TokenBlock(Long.MAX_VALUE, 2));
  }

  private List<Long> drain() {
    List<Long> tokens = new ArrayList<>();
    for (OptionalLong next = cursor.next(EPOCH); next.isPresent(); next = cursor.next(EPOCH)) {
      tokens.add(next.getAsLong());
    }
    return tokens;
  }
}
