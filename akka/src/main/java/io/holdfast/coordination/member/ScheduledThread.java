package io.holdfast.coordination.member;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of an executor. An exception there is told in the log, and what comes after it is done
 * all the same. An error is told to who ends the process: nobody can say what was done of the step.
 * Steps that come after the thread has ended are dropped.
 */
final class ScheduledThread implements OwnThread {

  private static final Logger log = LoggerFactory.getLogger(ScheduledThread.class);

  private final ScheduledExecutorService executor;
  private final Consumer<Error> failed;

  /**
   * Works by an executor of one thread.
   *
   * @param failed told of an error, on that thread
   */
  ScheduledThread(ScheduledExecutorService executor, Consumer<Error> failed) {
    this.executor = executor;
    this.failed = failed;
  }

  @Override
  public void run(Runnable step) {
    try {
      executor.execute(() -> carryOut(step));
    } catch (RejectedExecutionException e) {
      log.debug("coordination has stopped", e);
    }
  }

  @Override
  public void after(long delayMs, Runnable step) {
    try {
      var unused =
          executor.schedule(() -> carryOut(step), Math.max(0, delayMs), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      log.debug("coordination has stopped", e);
    }
  }

  /* The executor would keep to itself what a step throws. */
  private void carryOut(Runnable step) {
    try {
      step.run();
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
