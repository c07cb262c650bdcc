package io.holdfast.server;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a node's process, when a signal asks for it: at once while the node starts, in good
 * order after that. A node that stops without being asked ends its process too. However it stops,
 * there is an end to it: see {@link Watchdog}.
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
   * The node serves: from now on there is something to stop. Waits until it has stopped.
   *
   * <p>The thread that waits keeps the process: without it the virtual machine may find nothing of
   * the node running any more, and end it by itself, before the code is given.
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
