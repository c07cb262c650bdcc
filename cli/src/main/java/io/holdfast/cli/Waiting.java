package io.holdfast.cli;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.LockStatus;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A wait in the queue of a lock, with its progress for people. A process that is told to stop
 * meanwhile gives its place up first.
 */
final class Waiting {

  private static final long LOOK_EVERY_MS = 1_000;

  private final HoldfastClient client;
  private final String key;
  private final Notices notices;

  Waiting(HoldfastClient client, String key, Notices notices) {
    this.client = client;
    this.key = key;
    this.notices = notices;
  }

  /** Waits for the lock; fails as {@code HoldfastLock.acquire} does. */
  Grant await(Duration ttl, Duration timeout) throws InterruptedException {
    CompletableFuture<Grant> asked =
        client.lock(key).withTtl(ttl).acquireAsync(timeout).toCompletableFuture();
    Thread onStop = new Thread(() -> giveUp(asked), "give-up");
    Runtime.getRuntime().addShutdownHook(onStop);
    try {
      return await(asked);
    } finally {
      notices.endProgress();
      forget(onStop);
    }
  }

  private Grant await(CompletableFuture<Grant> asked) throws InterruptedException {
    while (true) {
      try {
        return asked.get(LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (notices.wantsProgress()) {
          tellProgress();
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof HoldfastException known) {
          throw known;
        }
        throw new IllegalStateException(e);
      }
    }
  }

  private void tellProgress() {
    try {
      LockStatus lock = client.get(key);
      String holder = lock.isFree() ? "nobody" : lock.holders().get(0).clientId();
      notices.progress(
          "waits for lock [%s], held by [%s]; [%d] wait"
              .formatted(key, holder, lock.waiterCount()));
    } catch (HoldfastException e) {
      notices.progress("waits for lock [" + key + "]; " + e.getMessage());
    }
  }

  private void giveUp(CompletableFuture<Grant> asked) {
    asked.cancel(/* mayInterruptIfRunning= */ false);
    client.close();
  }

  private static void forget(Thread onStop) {
    try {
      Runtime.getRuntime().removeShutdownHook(onStop);
    } catch (IllegalStateException e) {
      // The process is stopping: the hook runs already.
    }
  }
}
