package holdfast.coordination;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread on which a node's coordination works. An exception there is told in the log, and
 * what comes after it is done all the same. An error is told to who ends the process: nobody can
 * say what was done of the step. What comes after the thread has ended is not done.
 */
final class OwnThread {

  private static final Logger log = LoggerFactory.getLogger(OwnThread.class);

  private final ScheduledExecutorService executor;
  private final Consumer<Error> failed;

  /**
   * Works by an executor of one thread.
   *
   * @param failed told of an error, on that thread
   */
  OwnThread(ScheduledExecutorService executor, Consumer<Error> failed) {
    this.executor = executor;
    this.failed = failed;
  }

  void run(Runnable action) {
    try {
      executor.execute(() -> carryOut(action));
    } catch (RejectedExecutionException e) {
      log.debug("coordination has stopped", e);
    }
  }

  /** Does a step there, and answers what it came to. */
  CompletionStage<Boolean> call(Supplier<CompletionStage<Boolean>> step) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    run(
        () -> {
          try {
            var unused = step.get().thenAccept(done::complete);
          } catch (RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    return done;
  }

  void after(long delayMs, Runnable action) {
    try {
      var unused =
          executor.schedule(() -> carryOut(action), Math.max(0, delayMs), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      log.debug("coordination has stopped", e);
    }
  }

  void every(long pauseMs, Runnable action) {
    var unused =
        executor.scheduleWithFixedDelay(
            () -> carryOut(action), pauseMs, pauseMs, TimeUnit.MILLISECONDS);
  }

  /* The executor would keep to itself what a task throws, and end one that is repeated. */
  private void carryOut(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      log.error("coordination goes on after [{}]", e.getMessage(), e);
    } catch (Error e) {
      try {
        log.error("coordination cannot go on after [{}]", e.getMessage(), e);
      } finally {
        failed.accept(e);
      }
    }
  }
}
