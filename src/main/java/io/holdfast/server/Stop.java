package io.holdfast.server;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a node's process after a signal: at once while the node starts, in good order after that.
 * Also ends the process of a node that has stopped by itself. A {@link Watchdog} bounds the time of
 * a stop.
 */
final class Stop implements Runnable {

  private static final Logger log = LoggerFactory.getLogger("holdfast");

  private final Watchdog watchdog;
  private volatile boolean asked;
  private volatile @Nullable HoldfastNode node;

  Stop(Watchdog watchdog) {
    this.watchdog = watchdog;
  }

  boolean isAsked() {
    return asked;
  }

  /**
   * Notes that the node serves, and waits until it has stopped.
   *
   * <p>The waiting thread keeps the process alive: without it the virtual machine may end by
   * itself, before the exit code is set, once no other thread of the node runs.
   */
  void started(HoldfastNode started) {
    node = started;
    var unused = started.whenStopping().thenRun(watchdog::begin);
    started.whenStopped().handle((done, failure) -> done).toCompletableFuture().join();
    if (!asked) {
      log.error("The node has stopped by itself: it is no member of its cluster.");
      System.exit(NodeExitCode.CLUSTER.number());
    }
  }

  /** Stops the node, after a signal. */
  @Override
  public void run() {
    asked = true;
    watchdog.begin();
    HoldfastNode running = node;
    if (running != null) {
      log.info("stopping");
      running.stop().toCompletableFuture().join();
      log.info("stopped");
    }
  }
}
