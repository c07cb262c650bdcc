package io.holdfast.coordination.member;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that an exception on coordination's own thread is contained, and an error reported. */
class ScheduledThreadTest {

  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private final CompletableFuture<Error> failed = new CompletableFuture<>();
  private final ScheduledThread thread = new ScheduledThread(executor, failed::complete);

  @AfterEach
  void stop() {
    executor.shutdownNow();
  }

  @Test
  void an_exception_does_not_hinder_what_comes_after_it() {
    CompletableFuture<Integer> after = new CompletableFuture<>();
    thread.run(
        () -> {
          throw new IllegalStateException("planted");
        });
    thread.run(() -> after.complete(1));
    assertEquals(1, get(after));
  }

  @Test
  void an_error_is_told_wherever_it_comes() {
    AssertionError error = new AssertionError("planted");
    Runnable throwing =
        () -> {
          throw error;
        };
    thread.every(1, throwing);
    assertSame(error, get(failed));
    CompletableFuture<Error> later = new CompletableFuture<>();
    ScheduledThread other = new ScheduledThread(executor, later::complete);
    other.after(1, throwing);
    assertSame(error, get(later));
    CompletableFuture<Error> atOnce = new CompletableFuture<>();
    new ScheduledThread(executor, atOnce::complete).run(throwing);
    assertSame(error, get(atOnce));
  }

  private static <T> T get(CompletableFuture<T> future) {
    return future.orTimeout(20, TimeUnit.SECONDS).join();
  }
}
