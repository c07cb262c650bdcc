package io.holdfast.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process if its stop takes too long, whatever hangs.
 *
 * <p>A stop needs the threads of the actor system. If these are stuck, or wait themselves for the
 * end of the process, it never comes to its end. The watchdog has a thread of its own, which is
 * there from the start: later there may be no room for one.
 */
final class Watchdog {

  /** More than the steps of a stop take, with and without a majority. */
  static final Duration PATIENCE = Duration.ofSeconds(18);

  private static final Logger log = LoggerFactory.getLogger("holdfast");

  /** A log that nobody reads must not keep the process, either. */
  private static final Duration LAST_WORDS_WITHIN = Duration.ofSeconds(1);

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch told = new CountDownLatch(1);
  private final Duration patience;
  private final Runnable halt;

  private Watchdog(Duration patience, Runnable halt) {
    this.patience = patience;
    this.halt = halt;
  }

  /**
   * Prepares one.
   *
   * @param halt ends the process at once
   */
  static Watchdog ready(Duration patience, Runnable halt) {
    Watchdog made = new Watchdog(patience, halt);
    daemon("stop-watchdog", made::watch);
    daemon("stop-last-words", made::tell);
    return made;
  }

  /** Starts the time limit: the stop has begun. */
  void begin() {
    begun.countDown();
  }

  private void watch() {
    try {
      begun.await();
      pass(patience);
      told.countDown();
      pass(LAST_WORDS_WITHIN);
    } catch (InterruptedException e) {
      // Nobody interrupts this thread. An interrupt would not be a reason to go on.
    } finally {
      halt.run();
    }
  }

  private static void pass(Duration time) throws InterruptedException {
    boolean unused = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void tell() {
    try {
      told.await();
      log.error("Shutdown did not finish within {} s. The process is ended.", patience.toSeconds());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }
}
