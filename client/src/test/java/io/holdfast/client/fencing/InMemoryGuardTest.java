package io.holdfast.client.fencing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class InMemoryGuardTest {

  private final InMemoryGuard guard = new InMemoryGuard(2);

  @Test
  void an_equal_or_larger_token_writes_and_a_smaller_does_not() {
    assertEquals("a", guard.write("k", 7, () -> "a"));
    assertEquals("b", guard.write("k", 7, () -> "b"));
    assertEquals("c", guard.write("k", 9, () -> "c"));
    AtomicBoolean written = new AtomicBoolean();
    StaleToken stale =
        assertThrows(StaleToken.class, () -> guard.write("k", 8, () -> written.getAndSet(true)));
    assertEquals("the token [8] of [k] is smaller than one seen before", stale.getMessage());
    assertFalse(written.get());
  }

  @Test
  void a_write_that_failed_leaves_the_token_as_it_was() {
    guard.write("k", 7, () -> "a");
    assertThrows(
        IllegalStateException.class,
        () ->
            guard.write(
                "k",
                9,
                () -> {
                  throw new IllegalStateException("the disk is full");
                }));
    assertEquals("b", guard.write("k", 8, () -> "b"));
  }

  @Test
  void keys_have_nothing_to_do_with_each_other_and_there_is_a_bound() {
    guard.write("k", 7, () -> "a");
    assertEquals("b", guard.write("l", 1, () -> "b"));
    assertThrows(IllegalStateException.class, () -> guard.write("m", 1, () -> "c"));
    assertEquals("d", guard.write("l", 2, () -> "d"));
  }
}
