package holdfast.server;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a node's process, when a signal asks for it: at once while the node starts, in good
 * order after that. A node that stops without being asked ends its process too.
 */
final class Stop implements Runnable {

  private static final Logger log = LoggerFactory.getLogger("holdfast");

  private volatile boolean asked;
  private volatile @Nullable Node node;

  boolean isAsked() {
    return asked;
  }

  /** The node serves: from now on there is something to stop. */
  void started(Node started) {
    node = started;
    var unused =
        started
            .whenStopped()
            .whenComplete(
                (done, failure) -> {
                  if (!asked) {
                    log.error("The node has stopped by itself: it is no member of its cluster.");
                    System.exit(ExitCode.CLUSTER.number());
                  }
                });
  }

  /** What a signal sets off. */
  @Override
  public void run() {
    asked = true;
    Node running = node;
    if (running != null) {
      log.info("stopping");
      running.stop().toCompletableFuture().join();
      log.info("stopped");
    }
  }
}
