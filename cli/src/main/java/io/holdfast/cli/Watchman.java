package io.holdfast.cli;

import io.holdfast.client.Grant;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Watches over a grant while something is done under it: hears of its loss, and when the process is
 * told to stop it stops the command first and releases the lock then.
 */
final class Watchman implements AutoCloseable {

  private final Grant grant;
  private final Duration grace;
  private final Thread onStop = new Thread(this::stop, "release");
  private final ReentrantLock starting = new ReentrantLock();
  private boolean isStopping;
  private @Nullable Process process;

  /**
   * Begins to watch.
   *
   * @param grace the time that a command has to end once it was told to
   */
  Watchman(Grant grant, Duration grace) {
    this.grant = grant;
    this.grace = grace;
    try {
      Runtime.getRuntime().addShutdownHook(onStop);
    } catch (IllegalStateException e) {
      grant.close(); // told to stop between the grant and here
      throw e;
    }
  }

  Grant grant() {
    return grant;
  }

  /**
   * Starts a command.
   *
   * @throws IllegalStateException if this process has been told to stop: the lock is about to go
   */
  Process start(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().put("HOLDFAST_KEY", grant.key());
    builder.environment().put("HOLDFAST_TOKEN", Long.toString(grant.fencingToken()));
    starting.lock();
    try {
      if (isStopping) {
        throw new IllegalStateException("told to stop before the command was started");
      }
      Process started = builder.start();
      process = started;
      return started;
    } finally {
      starting.unlock();
    }
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

  /** Tells a command, and what it has started, to end; after the grace they are killed. */
  void end(Process running) {
    List<ProcessHandle> all =
        Stream.concat(running.descendants(), Stream.of(running.toHandle())).toList();
    all.forEach(ProcessHandle::destroy);
    try {
      CompletableFuture.allOf(
              all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
          .get(grace.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      all.forEach(ProcessHandle::destroyForcibly);
    } catch (InterruptedException e) {
      all.forEach(ProcessHandle::destroyForcibly);
      Thread.currentThread().interrupt();
    }
  }

  private void stop() {
    Process running;
    starting.lock();
    try {
      isStopping = true;
      running = process;
    } finally {
      starting.unlock();
    }
    if (running != null) {
      end(running);
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
