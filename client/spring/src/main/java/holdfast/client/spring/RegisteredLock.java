package holdfast.client.spring;

import holdfast.client.Grant;
import holdfast.client.HoldfastLock;
import holdfast.client.LockNotAcquired;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A lock of this process's threads among themselves, and within it one of the cluster. */
final class RegisteredLock implements Lock {

  private final HoldfastLock lock;
  private final ReentrantLock local = new ReentrantLock();

  /** Under the local lock. */
  private @Nullable Grant grant;

  RegisteredLock(HoldfastLock lock) {
    this.lock = lock;
  }

  boolean isIdle() {
    return !local.isLocked() && !local.hasQueuedThreads();
  }

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
    if (grant == null) {
      try {
        grant = lock.acquire();
      } catch (RuntimeException e) {
        local.unlock();
        throw e;
      }
    }
  }

  @Override
  public boolean tryLock() {
    return local.tryLock() && entered(this::tryNow);
  }

  private Optional<Grant> tryNow() {
    return lock.tryAcquire();
  }

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
    boolean isEntered = grant != null;
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
