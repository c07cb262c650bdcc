package io.holdfast.client.spring;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastLock;
import io.holdfast.client.LockNotAcquired;
import io.holdfast.client.NotSurelyHeld;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock of this process's threads among themselves, and within it one of the cluster. Every entry
 * asks whether the grant is surely held.
 */
final class RegisteredLock implements Lock {

  /*
   * A loss.
   *
   * Somebody else may be inside by then, so the loss ends all entries of the thread, and the local
   * lock with them: another thread may ask, and this one again. A try is refused then, and not tried
   * anew at once: whoever tries again and again, to see whether it still holds the lock, must see
   * that it did not in between. Each entry that the loss has ended is told so by its unlock.
   */

  private final HoldfastLock lock;
  private final ReentrantLock local = new ReentrantLock();

  /** Under the local lock. */
  private @Nullable Grant grant;

  /** The number of entries that a loss ended, for each thread that was not told yet. */
  private final ThreadLocal<Integer> lostEntries = ThreadLocal.withInitial(() -> 0);

  RegisteredLock(HoldfastLock lock) {
    this.lock = lock;
  }

  boolean isIdle() {
    return !local.isLocked() && !local.hasQueuedThreads();
  }

  /**
   * As {@link Lock#lock()}.
   *
   * @throws NotSurelyHeld if this thread had locked it before, and has lost it meanwhile
   */
  @Override
  public void lock() {
    local.lock();
    boolean wasInterrupted = false;
    while (true) {
      try {
        enter();
        break;
      } catch (InterruptedException e) {
        wasInterrupted = true;
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** As {@link #lock()}; an interrupt ends the wait. */
  @Override
  public void lockInterruptibly() throws InterruptedException {
    local.lockInterruptibly();
    try {
      enter();
    } catch (InterruptedException e) {
      local.unlock();
      throw e;
    }
  }

  /** The first entry of a thread takes the lock of the cluster. */
  private void enter() throws InterruptedException {
    Grant held = grant;
    if (held == null) {
      try {
        grant = lock.acquire();
      } catch (RuntimeException e) {
        local.unlock();
        throw e;
      }
    } else if (isLost(held)) {
      endAllEntries();
      held.ensureHeld();
    }
  }

  private static boolean isLost(Grant held) {
    return !held.isSurelyHeld();
  }

  /** The one under way is refused by itself; those before it are told by their unlocks. */
  private void endAllEntries() {
    lostEntries.set(lostEntries.get() + local.getHoldCount() - 1);
    grant = null;
    while (local.isHeldByCurrentThread()) {
      local.unlock();
    }
  }

  /** As {@link Lock#tryLock()}; false, too, if this thread had it and has lost it. */
  @Override
  public boolean tryLock() {
    return local.tryLock() && entered(this::tryNow);
  }

  private Optional<Grant> tryNow() {
    return lock.tryAcquire();
  }

  /** As {@link #tryLock()}; after a loss it does not wait. */
  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    long endsAt = System.nanoTime() + unit.toNanos(Math.max(0, time));
    if (!local.tryLock(time, unit)) {
      return false;
    }
    return entered(
        () -> {
          try {
            Duration left = Duration.ofNanos(Math.max(0, endsAt - System.nanoTime()));
            return Optional.of(lock.acquire(left));
          } catch (LockNotAcquired e) {
            return Optional.empty();
          }
        });
  }

  private interface Try<E extends Exception> {
    Optional<Grant> grant() throws E;
  }

  private <E extends Exception> boolean entered(Try<E> attempt) throws E {
    Grant held = grant;
    if (held != null && isLost(held)) {
      endAllEntries();
      return false;
    }
    boolean isEntered = held != null;
    try {
      if (!isEntered) {
        grant = attempt.grant().orElse(null);
        isEntered = grant != null;
      }
    } finally {
      if (!isEntered) {
        local.unlock();
      }
    }
    return isEntered;
  }

  /**
   * Takes back one entry; the last one releases the lock of the cluster.
   *
   * @throws IllegalMonitorStateException if this thread has not locked it
   * @throws ConcurrentModificationException if it was lost before: somebody else may have held it
   */
  @Override
  public void unlock() {
    if (!local.isHeldByCurrentThread()) {
      int lost = lostEntries.get();
      if (lost > 0) {
        lostEntries.set(lost - 1);
        throw new ConcurrentModificationException(
            "lock [" + lock.key() + "] was lost before it was released");
      }
      throw new IllegalMonitorStateException(
          "lock [" + lock.key() + "] is not held by this thread");
    }
    Grant held = grant;
    try {
      if (local.getHoldCount() == 1 && held != null) {
        grant = null;
        if (!held.release()) {
          throw new ConcurrentModificationException(
              "lock [" + lock.key() + "] was lost before it was released: " + held);
        }
      }
    } finally {
      local.unlock();
    }
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("a lock between processes has no conditions");
  }
}
