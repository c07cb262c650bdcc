package io.holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class OneByOneTest {

  private final Queue<Runnable> turns = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();
  private final OneByOne lane = new OneByOne(turns::add);

  @Test
  void what_else_waits_comes_in_between() {
    lane.execute(() -> done.add("long 1"));
    lane.execute(() -> done.add("long 2"));
    lane.execute(() -> done.add("long 3"));
    turns.add(() -> done.add("short"));
    runAll();
    assertEquals(List.of("long 1", "short", "long 2", "long 3"), done);
  }

  @Test
  void one_that_comes_later_has_its_turn() {
    lane.execute(() -> done.add("first"));
    runAll();
    lane.execute(() -> done.add("second"));
    runAll();
    assertEquals(List.of("first", "second"), done);
  }

  @Test
  void one_that_fails_stops_nobody() {
    lane.execute(
        () -> {
          throw new IllegalStateException("told to");
        });
    lane.execute(() -> done.add("next"));
    assertThrows(IllegalStateException.class, this::runAll);
    runAll();
    assertEquals(List.of("next"), done);
  }

  private void runAll() {
    while (!turns.isEmpty()) {
      turns.remove().run();
    }
  }
}
