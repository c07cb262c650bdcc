package io.holdfast.entity;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Ttl;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A lock that is held, and kept alive until it is unlocked. It is surely held until a deadline by
 * this process's own clock, which every renewal moves: the time of the first sending of what is
 * acknowledged, and the ttl, less a margin for clocks that do not run alike. Safe for use by many
 * threads.
 *
 * <p>A process may be stopped at any time between a look at that and what it does next. So give
 * {@link #token()} to the store with every write, and let the store refuse a smaller one than it
 * has seen.
 */
public final class LockGrant {

  /** Signs of life in one ttl. */
  private static final int RENEWALS = 3;

  private final LockDoor door;
  private final LockKey key;
  private final FencingToken token;
  private final Ttl ttl;
  private final CompletableFuture<String> lost = new CompletableFuture<>();
  private long deadlineNanos; // this and what follows is used under this object's monitor
  private boolean released;

  LockGrant(LockDoor door, LockKey key, FencingToken token, Ttl ttl) {
    this.door = door;
    this.key = key;
    this.token = token;
    this.ttl = ttl;
    deadlineNanos = door.nowNanos();
  }

  public LockKey key() {
    return key;
  }

  /** The number of this grant: later ones of the key have greater ones, for ever. */
  public FencingToken token() {
    return token;
  }

  /** Whether nobody else can hold the lock now, by a look at the clock. */
  public synchronized boolean isSurelyHeld() {
    return !released && !lost.isDone() && leftNanos() > 0;
  }

  /** For how long it is surely held if it is not renewed; zero if it is not. */
  public synchronized Duration remaining() {
    return isSurelyHeld() ? Duration.ofNanos(leftNanos()) : Duration.ZERO;
  }

  /** Completes with the reason when somebody else may hold the lock; never once it is unlocked. */
  public CompletionStage<String> lost() {
    return lost.minimalCompletionStage();
  }

  /**
   * Gives a sign of life, beyond those that are given without being asked for. Whether the lock is
   * surely held after it.
   */
  public CompletionStage<Boolean> renew() {
    return confirm();
  }

  /**
   * Gives the lock back: it is not surely held from now on. True if that ended the grant. False if
   * it had ended before, or by this very call, at a node that died before it answered. Fails as a
   * request of {@link LockRef} does; then it is given back as soon as somebody answers, or ends by
   * its ttl.
   */
  public CompletionStage<Boolean> unlock() {
    synchronized (this) {
      released = true;
    }
    return release();
  }

  private CompletionStage<Boolean> release() {
    return door.lock(key).release(token, ttl.toDuration());
  }

  // ------------------------------------------------------------------ how it is kept

  /** The grant was told of as the answer to what was sent then; whether that is sure still. */
  synchronized boolean isSureFrom(long sentNanos) {
    long deadline = sentNanos + ttl.sureFor().toNanos();
    if (deadline - deadlineNanos > 0) {
      deadlineNanos = deadline;
    }
    return leftNanos() > 0;
  }

  CompletionStage<Boolean> confirm() {
    long sentNanos = door.nowNanos();
    return door.way()
        .renew(new Renewal.OfGrant(key, token))
        .thenApply(
            answer -> {
              if (!answer.alive()) {
                lose("it has ended");
                return false;
              }
              isSureFrom(sentNanos);
              return isSurelyHeld();
            });
  }

  /** Keeps it alive from now on. */
  synchronized LockGrant begin() {
    if (!released && !lost.isDone()) {
      door.after(nextLook(), this::keepAlive);
    }
    return this;
  }

  private Duration nextLook() {
    Duration pause = ttl.toDuration().dividedBy(RENEWALS);
    Duration left = Duration.ofNanos(Math.max(0, leftNanos()));
    return left.compareTo(pause) < 0 ? left : pause;
  }

  private void keepAlive() {
    boolean isOver;
    synchronized (this) {
      if (released || lost.isDone()) {
        return;
      }
      isOver = leftNanos() <= 0;
      if (!isOver) {
        begin();
      }
    }
    if (isOver) {
      lose("no sign of life was acknowledged in time");
      var unused = release(); // others may wait for it, if its shard gave everyone more time
    } else {
      var unused = confirm(); // what fails is not tried again: the next is due soon
    }
  }

  private long leftNanos() {
    return deadlineNanos - door.nowNanos();
  }

  private void lose(String reason) {
    synchronized (this) {
      if (released) {
        return;
      }
    }
    lost.complete(reason); // outside: who listens may ask this object
  }

  @Override
  public String toString() {
    return key + " under " + token;
  }
}
