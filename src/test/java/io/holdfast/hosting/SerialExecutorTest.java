package io.holdfast.hosting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class SerialExecutorTest {

  private final Queue<Runnable> turns = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();
  private final SerialExecutor lane = new SerialExecutor(turns::add);

  @Test
  void other_work_runs_between_two_tasks() {
    lane.execute(() -> done.add("long 1"));
    lane.execute(() -> done.add("long 2"));
    lane.execute(() -> done.add("long 3"));
    turns.add(() -> done.add("short"));
    runAll();
    assertEquals(List.of("long 1", "short", "long 2", "long 3"), done);
  }

  @Test
  void a_later_task_runs_too() {
    lane.execute(() -> done.add("first"));
    runAll();
    lane.execute(() -> done.add("second"));
    runAll();
    assertEquals(List.of("first", "second"), done);
  }

  @Test
  void a_failed_task_does_not_stop_the_next() {
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
