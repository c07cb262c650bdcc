package io.holdfast.service;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Ttl;
import io.holdfast.wire.Renewal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A grant of a lock, renewed until it is unlocked. It is surely held until a deadline by this
 * process's own clock: the time of the first sending of the acknowledged request, plus the ttl,
 * less a margin for clock drift. Every renewal moves the deadline. Safe for use by many threads.
 *
 * <p>A process may be paused at any time after a check of the deadline. So send {@link #token()} to
 * the store with every write, and let the store refuse a token smaller than the largest it has
 * seen.
 */
public final class LockGrant {

  /** The number of renewals in one ttl. */
  private static final int RENEWALS = 3;

  private final LockClient locks;
  private final LockKey key;
  private final FencingToken token;
  private final Ttl ttl;
  private final CompletableFuture<String> lost = new CompletableFuture<>();
  private long deadlineNanos; // guarded by this, as the next two fields
  private boolean begun;
  private boolean released;

  LockGrant(LockClient locks, LockKey key, FencingToken token, Ttl ttl) {
    this.locks = locks;
    this.key = key;
    this.token = token;
    this.ttl = ttl;
    deadlineNanos = locks.nowNanos();
  }

  public LockKey key() {
    return key;
  }

  /**
   * Returns the fencing token of this grant. Later grants of the key have greater tokens, for ever.
   */
  public FencingToken token() {
    return token;
  }

  /** True if no other holder can have the lock now, by the clock. */
  public synchronized boolean isSurelyHeld() {
    return !released && !lost.isDone() && leftNanos() > 0;
  }

  /** Returns the time for which it is surely held without a renewal; zero if it is not held. */
  public synchronized Duration remaining() {
    return isSurelyHeld() ? Duration.ofNanos(leftNanos()) : Duration.ZERO;
  }

  /**
   * Completes with the reason when the lock is lost, and another holder may have it. It does not
   * complete if the loss comes after an unlock.
   */
  public CompletionStage<String> lost() {
    return lost.minimalCompletionStage();
  }

  /**
   * Renews the grant, in addition to the automatic renewals. Returns true if the lock is surely
   * held after it.
   */
  public CompletionStage<Boolean> renew() {
    return confirm();
  }

  /**
   * Releases the lock: it is not surely held from now on. Returns true if that ended the grant;
   * false if it had ended before, perhaps by an unanswered attempt of this call. Fails as a request
   * of {@link LockRef} does. The release is retried then until it is answered, or the grant ends by
   * its ttl.
   */
  public CompletionStage<Boolean> unlock() {
    synchronized (this) {
      released = true;
    }
    return release();
  }

  private CompletionStage<Boolean> release() {
    return locks.lock(key).release(token, ttl.toDuration());
  }

  // ------------------------------------------------------------------ renewal

  /**
   * Moves the deadline, for an answer to a request that was sent at this time. Returns true if the
   * deadline lies ahead. A grant that was past its deadline stays lost.
   */
  synchronized boolean moveDeadline(long sentNanos) {
    boolean isLost = begun && leftNanos() <= 0;
    long deadline = sentNanos + ttl.sureFor().toNanos();
    if (!isLost && deadline - deadlineNanos > 0) {
      deadlineNanos = deadline;
    }
    return leftNanos() > 0;
  }

  CompletionStage<Boolean> confirm() {
    long sentNanos = locks.nowNanos();
    return locks
        .gateway()
        .renew(new Renewal.OfGrant(key, token))
        .thenApply(
            answer -> {
              if (!answer.alive()) {
                lose("the grant has ended");
                return false;
              }
              moveDeadline(sentNanos);
              return isSurelyHeld();
            });
  }

  /** Starts the renewals. */
  synchronized LockGrant begin() {
    begun = true;
    if (!released && !lost.isDone()) {
      locks.after(nextRenewal(), this::keepAlive);
    }
    return this;
  }

  private Duration nextRenewal() {
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
      lose("no renewal was acknowledged in time");
      var unused = release(); // others may wait for it, if its shard extended all deadlines
    } else {
      var unused = confirm(); // a failed renewal is not retried: the next one is due soon
    }
  }

  private long leftNanos() {
    return deadlineNanos - locks.nowNanos();
  }

  private void lose(String reason) {
    synchronized (this) {
      if (released) {
        return;
      }
    }
    lost.complete(reason); // outside of the monitor: a listener may call this object
  }

  @Override
  public String toString() {
    return key + " with token " + token;
  }
}
