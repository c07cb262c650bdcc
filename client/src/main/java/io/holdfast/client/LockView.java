package io.holdfast.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A distributed lock with the interface {@link Lock}, for code that migrates to Holdfast.
 *
 * <p>The interface makes promises that no lock between processes can keep:
 *
 * <ul>
 *   <li>A holder is not stopped when it loses the lock. Between {@link #lock()} and {@link
 *       #unlock()} a pause, a network partition or an operator may end the grant, and another
 *       holder may get the lock. Check {@link #grant()}, and pass its token to the store.
 *   <li>{@link #unlock()} after such a loss throws {@link NotSurelyHeld}: the work may have run
 *       concurrently with that of another holder.
 *   <li>Each method may fail with a {@link HoldfastException} when no node answers.
 *   <li>It is not reentrant: a thread that locks twice waits for itself.
 *   <li>There are no conditions.
 * </ul>
 */
public final class LockView implements Lock {

  private record Owned(Grant grant, Thread by) {}

  private final HoldfastLock lock;
  private final AtomicReference<@Nullable Owned> owned = new AtomicReference<>();

  LockView(HoldfastLock lock) {
    this.lock = lock;
  }

  /**
   * Returns the grant, for its fencing token and deadline; empty if this view does not hold the
   * lock.
   */
  public Optional<Grant> grant() {
    return Optional.ofNullable(owned.get()).map(Owned::grant);
  }

  /** Waits without regard to interrupts, as the interface demands. */
  @Override
  public void lock() {
    boolean wasInterrupted = false;
    try {
      while (true) {
        try {
          lockInterruptibly();
          return;
        } catch (InterruptedException e) {
          wasInterrupted = true;
        }
      }
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    own(lock.acquire());
  }

  @Override
  public boolean tryLock() {
    Optional<Grant> grant = lock.tryAcquire();
    grant.ifPresent(this::own);
    return grant.isPresent();
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    try {
      own(lock.acquire(Duration.of(Math.max(0, time), unit.toChronoUnit())));
      return true;
    } catch (LockNotAcquired e) {
      return false;
    }
  }

  private void own(Grant grant) {
    owned.set(new Owned(grant, Thread.currentThread()));
  }

  /**
   * Releases it.
   *
   * @throws IllegalMonitorStateException if this thread has not locked it
   * @throws NotSurelyHeld if it was lost before
   */
  @Override
  public void unlock() {
    Owned mine = owned.get();
    if (mine == null || mine.by() != Thread.currentThread()) {
      throw new IllegalMonitorStateException(
          "lock [" + lock.key() + "] is not held by thread [" + Thread.currentThread() + "]");
    }
    owned.compareAndSet(mine, null);
    if (!mine.grant().release()) {
      throw new NotSurelyHeld(
          lock.key(),
          mine.grant().fencingToken(),
          mine.grant().lost().orElse(LossReason.TAKEN_AWAY));
    }
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("a lock between processes has no conditions");
  }
}
