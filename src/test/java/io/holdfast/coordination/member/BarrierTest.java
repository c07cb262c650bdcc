package io.holdfast.coordination.member;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BarrierTest {

  @Test
  void follow_up_work_does_not_run_on_the_completing_thread() {
    CompletableFuture<Boolean> log = new CompletableFuture<>();
    List<Runnable> tasks = new ArrayList<>();
    List<Boolean> told = new ArrayList<>();
    Barrier barrier = () -> log;
    var unused = barrier.on(tasks::add).caughtUp().thenAccept(told::add);
    log.complete(true);
    assertEquals(List.of(), told);
    tasks.forEach(Runnable::run);
    assertEquals(List.of(true), told);
  }

  @Test
  void one_that_is_not_safe_stays_so() {
    Barrier barrier = () -> CompletableFuture.completedFuture(false);
    assertFalse(barrier.on(Runnable::run).caughtUp().toCompletableFuture().join());
  }
}
