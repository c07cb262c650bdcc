package holdfast.cli;

import holdfast.client.Grant;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches over a grant while something is done under it: hears of its loss, and when the process is
 * told to stop it stops the command first and releases the lock then.
 */
final class Watchman implements AutoCloseable {

  private static final long STOP_WITHIN_SECONDS = 5;

  private final Grant grant;
  private final Thread onStop = new Thread(this::stop, "release");
  private volatile @Nullable Process process;

  Watchman(Grant grant) {
    this.grant = grant;
    Runtime.getRuntime().addShutdownHook(onStop);
  }

  Grant grant() {
    return grant;
  }

  Process start(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().put("HOLDFAST_KEY", grant.key());
    builder.environment().put("HOLDFAST_TOKEN", Long.toString(grant.fencingToken()));
    Process started = builder.start();
    process = started;
    return started;
  }

  /** Waits for the end of a process; false if the loss of the grant came first. */
  boolean awaitEnd(Process started) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    var unused = started.onExit().thenRun(ended::countDown);
    return awaitEnd(ended);
  }

  private boolean awaitEnd(CountDownLatch ended) throws InterruptedException {
    grant.onLost(reason -> ended.countDown());
    ended.await();
    // What ends in time may be seen too late: then nobody can say that it was in time.
    return grant.isSurelyHeld();
  }

  /** Waits for the end of input; false if the loss of the grant came first. */
  boolean awaitEndOfInput(InputStream input) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    Thread reader =
        new Thread(
            () -> {
              try {
                input.transferTo(OutputStream.nullOutputStream());
              } catch (IOException e) {
                // An input that cannot be read has ended.
              } finally {
                ended.countDown();
              }
            },
            "input");
    reader.setDaemon(true);
    reader.start();
    return awaitEnd(ended);
  }

  private void stop() {
    Process running = process;
    if (running != null) {
      running.destroy();
      try {
        if (!running.waitFor(STOP_WITHIN_SECONDS, TimeUnit.SECONDS)) {
          running.destroyForcibly();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    grant.close();
  }

  /** Releases the grant. */
  @Override
  public void close() {
    grant.close();
    try {
      Runtime.getRuntime().removeShutdownHook(onStop);
    } catch (IllegalStateException e) {
      // The process is stopping: the hook runs already.
    }
  }
}
