package io.holdfast.entity;

import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Keeps what a member has to give back, releases and cancels, and sends each until it is answered
 * or what it gives back has ended by itself. How long a caller waits for that is another matter: it
 * is told what became of the first attempt. Safe for use by many threads.
 */
final class GivingBack {

  /** The pause between two attempts, each of which is sent again for as long as it may take. */
  static final Duration PAUSE = Duration.ofSeconds(1);

  /** For so long, a sign of life of before may still be on its way, and count. */
  static final Duration ON_ITS_WAY = Duration.ofSeconds(30);

  /** How many may be kept; of one more only the first attempt is made. */
  static final int MAX_KEPT = 100_000;

  /** The way of a command to its lock, which is sent again until it is answered or too late. */
  @FunctionalInterface
  interface Way {
    CompletionStage<LockAnswer> ask(LockKey key, LockCommand command);
  }

  private final Way way;
  private final Agenda agenda;
  private final LongSupplier nanoClock;
  private final AtomicInteger kept = new AtomicInteger();

  /**
   * Nothing is to be given back yet.
   *
   * @param nanoClock monotonic, in nanoseconds
   */
  GivingBack(Way way, Agenda agenda, LongSupplier nanoClock) {
    this.way = way;
    this.agenda = agenda;
    this.nanoClock = nanoClock;
  }

  /** How many have no answer yet and are sent again. */
  int kept() {
    return kept.get();
  }

  /**
   * Sends a command, and goes on in the background.
   *
   * @param lives how long what is given back may live if nobody hears of this
   * @return what became of the first attempt
   */
  CompletionStage<LockAnswer> send(LockKey key, LockCommand command, Duration lives) {
    return send(key, command, lives, () -> {});
  }

  /**
   * As {@link #send(LockKey, LockCommand, Duration)}.
   *
   * @param whenOver runs once, when it is sent no more
   */
  CompletionStage<LockAnswer> send(
      LockKey key, LockCommand command, Duration lives, Runnable whenOver) {
    Parcel parcel = new Parcel(key, command, lives.plus(ON_ITS_WAY), whenOver);
    return parcel.attempt().whenComplete(parcel::first);
  }

  /** The lock could not do it now. It changed nothing, and may do it later. */
  private static boolean isPassing(LockAnswer answer) {
    return answer.outcome() instanceof Outcome.Refused refused
        && (refused.refusal() instanceof Refusal.LimitReached || isWithoutToken(refused));
  }

  private static boolean isWithoutToken(Outcome.Refused refused) {
    return refused.refusal() instanceof Refusal.NoToken;
  }

  private final class Parcel {
    private final LockKey key;
    private final LockCommand command;
    private final long untilNanos;
    private final Runnable whenOver;

    Parcel(LockKey key, LockCommand command, Duration within, Runnable whenOver) {
      this.whenOver = whenOver;
      this.key = key;
      this.command = command;
      untilNanos = nanoClock.getAsLong() + within.toNanos();
    }

    CompletionStage<LockAnswer> attempt() {
      try {
        return way.ask(key, command);
      } catch (RuntimeException e) { // the actor system has ended
        return CompletableFuture.failedFuture(e);
      }
    }

    void first(LockAnswer answer, Throwable failure) {
      if (failure == null && !isPassing(answer)) {
        whenOver.run();
      } else if (kept.incrementAndGet() > MAX_KEPT) {
        over();
      } else {
        againLater();
      }
    }

    private void againLater() {
      agenda.after(
          PAUSE,
          () -> {
            if (nanoClock.getAsLong() - untilNanos < 0) {
              var unused = attempt().whenComplete(this::next);
            } else {
              over();
            }
          });
    }

    private void over() {
      kept.decrementAndGet();
      whenOver.run();
    }

    private void next(LockAnswer answer, Throwable failure) {
      if (failure == null && !isPassing(answer)) {
        over();
      } else {
        againLater();
      }
    }
  }
}
