package io.holdfast.sharding;

import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.wire.LockAnswer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Resends the releases and cancels of a member until each is answered, or until its grant or
 * request has surely ended by itself. The caller gets the result of the first attempt only. Safe
 * for use by many threads.
 */
public final class PendingReleases {

  /** The pause between two attempts. Within an attempt, the command is resent as well. */
  static final Duration PAUSE = Duration.ofSeconds(1);

  /** The time for which an earlier keepalive may still be in flight, and count. */
  static final Duration IN_FLIGHT = Duration.ofSeconds(30);

  /** The largest number of pending commands. One more gets its first attempt only. */
  static final int MAX_KEPT = 100_000;

  /** Sends a command to its lock, with retries until it is answered or times out. */
  @FunctionalInterface
  public interface Sender {
    public CompletionStage<LockAnswer> send(LockKey key, LockCommand command);
  }

  private final Sender sender;
  private final TaskScheduler scheduler;
  private final LongSupplier nanoClock;
  private final AtomicInteger kept = new AtomicInteger();

  /**
   * Creates an empty set.
   *
   * @param nanoClock monotonic, in nanoseconds
   */
  public PendingReleases(Sender sender, TaskScheduler scheduler, LongSupplier nanoClock) {
    this.sender = sender;
    this.scheduler = scheduler;
    this.nanoClock = nanoClock;
  }

  /** Returns the number of commands that are being resent. */
  int kept() {
    return kept.get();
  }

  /**
   * Sends a command, with retries in the background.
   *
   * @param lives the longest time that the grant or request may live without this command
   * @return the result of the first attempt
   */
  public CompletionStage<LockAnswer> send(LockKey key, LockCommand command, Duration lives) {
    return send(key, command, lives, () -> {});
  }

  /**
   * As {@link #send(LockKey, LockCommand, Duration)}.
   *
   * @param whenDone runs once, after the last attempt
   */
  public CompletionStage<LockAnswer> send(
      LockKey key, LockCommand command, Duration lives, Runnable whenDone) {
    Pending pending = new Pending(key, command, lives.plus(IN_FLIGHT), whenDone);
    return pending.attempt().whenComplete(pending::onFirst);
  }

  /** True if the lock refused for now, and may do it later. */
  private static boolean isTemporary(LockAnswer answer) {
    return answer.outcome() instanceof Outcome.Refused refused
        && (refused.refusal() instanceof Refusal.LimitReached || isWithoutToken(refused));
  }

  private static boolean isWithoutToken(Outcome.Refused refused) {
    return refused.refusal() instanceof Refusal.NoToken;
  }

  private final class Pending {
    private final LockKey key;
    private final LockCommand command;
    private final long untilNanos;
    private final Runnable whenDone;

    Pending(LockKey key, LockCommand command, Duration within, Runnable whenDone) {
      this.whenDone = whenDone;
      this.key = key;
      this.command = command;
      untilNanos = nanoClock.getAsLong() + within.toNanos();
    }

    CompletionStage<LockAnswer> attempt() {
      try {
        return sender.send(key, command);
      } catch (RuntimeException e) { // the actor system has ended
        return CompletableFuture.failedFuture(e);
      }
    }

    void onFirst(LockAnswer answer, Throwable failure) {
      if (failure == null && !isTemporary(answer)) {
        whenDone.run();
      } else if (kept.incrementAndGet() > MAX_KEPT) {
        finish();
      } else {
        retryLater();
      }
    }

    private void retryLater() {
      scheduler.after(
          PAUSE,
          () -> {
            if (nanoClock.getAsLong() - untilNanos < 0) {
              var unused = attempt().whenComplete(this::onRetry);
            } else {
              finish();
            }
          });
    }

    private void finish() {
      kept.decrementAndGet();
      whenDone.run();
    }

    private void onRetry(LockAnswer answer, Throwable failure) {
      if (failure == null && !isTemporary(answer)) {
        finish();
      } else {
        retryLater();
      }
    }
  }
}
