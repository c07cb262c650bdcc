package io.holdfast.client.shedlock;

import io.holdfast.client.Grant;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** The lock of one task while it runs: one grant, and the moments at which it may and must end. */
final class TaskLock extends AbstractSimpleLock {

  private final Grant grant;

  /** Until when the grant is kept at most; an extension moves it for all that share it. */
  private final AtomicLong endsAtNanos;

  private final long mayEndAtNanos;

  TaskLock(LockConfiguration configuration, Grant grant) {
    this(configuration, grant, new AtomicLong(after(configuration.getLockAtMostFor())));
    watch();
  }

  private TaskLock(LockConfiguration configuration, Grant grant, AtomicLong endsAtNanos) {
    super(configuration);
    this.grant = grant;
    this.endsAtNanos = endsAtNanos;
    this.mayEndAtNanos = after(configuration.getLockAtLeastFor());
  }

  private static long after(Duration duration) {
    return System.nanoTime() + duration.toNanos();
  }

  /** Ends it when its time is over, whenever that comes to be. */
  private void watch() {
    later(
        endsAtNanos.get(),
        () -> {
          if (endsAtNanos.get() - System.nanoTime() <= 0) {
            var unused = grant.releaseAsync();
          } else if (grant.isSurelyHeld()) {
            watch();
          }
        });
  }

  private static void later(long atNanos, Runnable action) {
    long pause = Math.max(0, atNanos - System.nanoTime());
    CompletableFuture.delayedExecutor(pause, TimeUnit.NANOSECONDS).execute(action);
  }

  @Override
  protected void doUnlock() {
    if (mayEndAtNanos - System.nanoTime() > 0) {
      endsAtNanos.set(mayEndAtNanos);
      watch();
    } else {
      grant.close();
    }
  }

  @Override
  protected Optional<SimpleLock> doExtend(LockConfiguration configuration) {
    if (endsAtNanos.get() - System.nanoTime() <= 0 || !grant.isSurelyHeld()) {
      grant.close();
      return Optional.empty();
    }
    endsAtNanos.set(after(configuration.getLockAtMostFor()));
    return Optional.of(new TaskLock(configuration, grant, endsAtNanos));
  }
}
