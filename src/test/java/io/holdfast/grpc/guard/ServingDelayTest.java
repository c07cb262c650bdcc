package io.holdfast.grpc.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Tests how the delay of a pool of threads is measured. */
class ServingDelayTest {

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private long now = Long.MAX_VALUE - 5; // it wraps
  private final ServingDelay delay = new ServingDelay(tasks::add, () -> now);

  @Test
  void a_server_that_was_never_measured_is_not_late() {
    assertEquals(0, delay.nanos());
  }

  @Test
  void the_delay_grows_while_a_task_waits() {
    delay.measure();
    now += 10;
    assertEquals(10, delay.nanos());
    now += 10;
    assertEquals(20, delay.nanos());
    tasks.remove().run();
    now += 10;
    assertEquals(20, delay.nanos(), "the last task's");
  }

  @Test
  void a_fast_task_ends_a_delay() {
    delay.measure();
    now += 50;
    tasks.remove().run();
    delay.measure();
    now += 1;
    assertEquals(50, delay.nanos(), "the next may be as late");
    tasks.remove().run();
    assertEquals(1, delay.nanos());
  }

  @Test
  void a_rejected_task_does_not_wait() {
    ServingDelay closed =
        new ServingDelay(
            task -> {
              throw new RejectedExecutionException();
            },
            () -> now);
    closed.measure();
    now += 1_000;
    assertEquals(0, closed.nanos());
  }

  @Test
  void one_task_waits_at_a_time() {
    for (int i = 0; i < 10; i++) {
      delay.measure();
    }
    assertEquals(1, tasks.size());
  }
}
